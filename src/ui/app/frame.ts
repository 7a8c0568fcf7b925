/** The frame with its pages. The login loads it early. */
import { lazyPart } from "../loading/lazy-part.tsx";

export const FramePlaces = lazyPart(() => import("./FramePlaces.tsx"));
/** Loads the frame early, while the core is still starting. */
export const preloadFrame = (): void => void FramePlaces.loadAhead().catch(() => undefined);
