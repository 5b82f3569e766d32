/** The customer's chat, in a frame of a shop's page or as a page of its own: `?frame=1` says which. */
import { Widget } from './widget.js';

const settings = JSON.parse(document.getElementById('settings').textContent);
const isFramed = new URLSearchParams(location.search).get('frame') === '1' && window.parent !== window;

new Widget(settings, isFramed).start();
