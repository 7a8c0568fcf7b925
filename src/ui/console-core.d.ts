import type { CoreClient } from "../core-client/contracts.ts";

declare global {
  // set by main.tsx
  var consoleCore: CoreClient;
}
