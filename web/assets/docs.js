/** What the reference's pages do beyond showing: search while one types, schemas in place, copying, and trying operations. */
import { markCurrent, searchAsTyped } from './docs-column.js';
import { rememberLanguage, addCopyButtons } from './docs-samples.js';
import { addUnfoldButtons } from './docs-schemas.js';
import { offerTrials } from './docs-trial.js';

const main = document.querySelector('main');

searchAsTyped(main);
markCurrent(main);
addUnfoldButtons(main);
rememberLanguage(main);
addCopyButtons(main);
await offerTrials(main);
document.body.dataset.ready = 'true';
