/** The media code of the console: that of the library, and what changes the own picture and sound. */
import type { CoreClient } from "../../../core-client/contracts.ts";
import { effectsSpawner } from "../../../core-client/effects-worker.ts";
import {
  browserEffects,
  browserMediaDeps,
  createMediaHost,
  type MediaHost,
} from "../../../rtc-main/index.ts";
import { showMessage } from "../../state/show-message.ts";
import { openAhead } from "../call-parts/open-ahead.ts";
import { keepEffects } from "./keep-effects.ts";

export function startMedia(core: Pick<CoreClient, "state" | "tabId" | "look">): MediaHost {
  const host = createMediaHost(
    browserMediaDeps(() => core.state.session.accountId, {
      effects: browserEffects(effectsSpawner(core)),
    }),
  );
  keepEffects(core, host, showMessage);
  openAhead(core, host);
  return host;
}
