/** What a deployment says about itself, and how tabs and service worker speak about it (docs/shell.md). */
import { z } from "../zod.ts";

export { BUILD_PATH } from "./port-names.ts";

export const buildFileSchema = z.object({
  build: z.string().min(1).max(64),
  /** Paths of the assets that the frame needs before it shows, all below /assets/. */
  shell: z.array(z.string().startsWith("/assets/").max(300)).max(500),
});
export type BuildFile = z.infer<typeof buildFileSchema>;

/** From a tab to the service worker, after the page has settled: keep the shell, and these assets that the tab has used. */
export const keepShellSchema = z.object({
  kind: z.literal("keep-shell"),
  used: z.array(z.string().startsWith("/assets/").max(300)).max(500),
});
export type KeepShell = z.infer<typeof keepShellSchema>;
