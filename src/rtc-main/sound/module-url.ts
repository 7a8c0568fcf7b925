/** Address of the built worklet: a script beside this one, of the page's own origin, as the page's policy demands. */
// oxlint-disable-next-line import/default -- vite makes the export
import url from "./worklet.ts?worker&url";

export const SOUND_MODULE: string = new URL(url, import.meta.url).href;
