/** Why publishing ended, by the end reason of op 107 (docs/conferences.md#end-reasons), as people are told it. */
import type { NoticeKey } from "../../../shared/domain/notice-texts.ts";
import { CONFR_END } from "../../../shared/protocol/confr-signalling.ts";

export const PUBLISH_REFUSED: Readonly<Record<number, NoticeKey>> = {
  [CONFR_END.tooManyVideos]: "conference.too-many-videos",
  [CONFR_END.tooManyDesktops]: "conference.too-many-desktops",
};
