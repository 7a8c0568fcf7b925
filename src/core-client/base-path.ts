/** Where this page's console lies on its host (docs/server.md#base-path). The same build serves any path, so its scripts say it. */
import { basePathOf, withoutBase } from "../shared/domain/base-path.ts";

/** "" or like "/console". */
export const BASE_PATH = basePathOf(import.meta.url);

/** Path of the present page inside the console. */
export const pagePath = (): string => withoutBase(location.pathname, BASE_PATH);

/** Complete address of a path of the console. */
export const addressOf = (path: string): string => `${location.origin}${BASE_PATH}${path}`;
