/** The frame with its pages. The login loads it early. */
import { retrying } from "../state/retrying.ts";
import { loadTexts } from "../i18n/index.ts";
import { lazyPart, loadArco } from "../loading/lazy-part.tsx";

const loadFrame = () => import("./FramePlaces.tsx");
export const FramePlaces = lazyPart(loadFrame);
/** Loads the frame early, while the core is still starting. */
export const preloadFrame = (): void =>
  void Promise.all([loadArco(), retrying(loadFrame), retrying(loadTexts)]).catch(() => undefined);
