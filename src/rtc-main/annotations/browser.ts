/** The browser as a surface uses it. */
import type { SurfaceEnv } from "./surface.ts";

export const browserSurfaceEnv = (): SurfaceEnv => ({
  now: () => Date.now(),
  after(ms, run) {
    const handle = setTimeout(run, ms);
    return { cancel: () => clearTimeout(handle) };
  },
  frame(run) {
    const handle = requestAnimationFrame(run);
    return { cancel: () => cancelAnimationFrame(handle) };
  },
  newId: () =>
    Array.from(crypto.getRandomValues(new Uint8Array(9)), (byte) =>
      byte.toString(36).padStart(2, "0"),
    ).join(""),
  ratio: () => devicePixelRatio,
  watchSize(element, run) {
    const observer = new ResizeObserver(run);
    observer.observe(element);
    return () => observer.disconnect();
  },
});
