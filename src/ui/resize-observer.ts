/** Stands for the package `resize-observer-polyfill` of the components, which no supported browser needs. */
export default globalThis.ResizeObserver;
