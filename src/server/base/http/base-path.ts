/** The BASE_PATH setting (docs/server.md#base-path): below which path of its host the console lies. */
import type { IncomingMessage } from "node:http";
import { withoutBase } from "../../../shared/domain/base-path.ts";

/** @returns "" or a path like /console; null when the text is no such path */
export function parseBasePath(text: string): string | null {
  const path = text.replace(/\/$/, "");
  if (path === "") return "";
  // Letters that no address encodes, so that all parts write the path in one way.
  return /^(\/[a-z0-9_~-][a-z0-9._~-]*)+$/i.test(path) ? path : null;
}

/** Takes the base path from the address of a request. A proxy may have taken it away already. */
export function enterBase(request: IncomingMessage, base: string): void {
  if (request.url !== undefined && base !== "") request.url = withoutBase(request.url, base);
}

/** The page with the base path in front of its own scripts, styles and pictures, as if the build knew it. */
export const pageBelow = (html: string, base: string): string =>
  html.replaceAll(/(<(?:script|link)\s[^>]*?(?:src|href)=")\/(?!\/)/g, `$1${base}/`);
