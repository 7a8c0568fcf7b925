/** The browser as a surface uses it. `view`: the window that shows the canvas; the floating window has frames while its tab has none. */
import type { SurfaceEnv } from "./surface.ts";

export const browserSurfaceEnv = (view: Window = window): SurfaceEnv => ({
  now: () => Date.now(),
  after(ms, run) {
    const handle = setTimeout(run, ms);
    return { cancel: () => clearTimeout(handle) };
  },
  frame(run) {
    const handle = view.requestAnimationFrame(run);
    return { cancel: () => view.cancelAnimationFrame(handle) };
  },
  newId: () =>
    Array.from(crypto.getRandomValues(new Uint8Array(9)), (byte) =>
      byte.toString(36).padStart(2, "0"),
    ).join(""),
  ratio: () => view.devicePixelRatio,
  watchSize(element, run) {
    const observer = new ResizeObserver(run);
    observer.observe(element);
    return () => observer.disconnect();
  },
});
