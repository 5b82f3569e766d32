/* @ts-self-types="./schemas.d.ts" */
/** Types alone, for Deno, which asks for each module that `parley.d.ts` names. */
export {};
