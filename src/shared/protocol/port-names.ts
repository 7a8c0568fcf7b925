/** Names that a tab and its core share, apart from the schemas of their messages, which a tab does not load. */

/** Raised with every change of a port message that an older side could not read. */
export const PORT_PROTOCOL = 1;

export const tabLock = (tabId: string): string => `tab:${tabId}`;
export const coreLock = (coreId: string): string => `core:${coreId}`;
/** Held by the owner: the one tab that has the media of the call. */
export const CALL_OWNER_LOCK = "call-owner";
/** Held by the one core, of any build, that holds the sockets. */
export const SOCKETS_LOCK = "signalling-owner";
/** The build writes this file beside index.html. Gateways that serve another console may lack it. */
export const BUILD_PATH = "/build.json";
export const coreName = (build: string): string => `console-core-${build}`;
