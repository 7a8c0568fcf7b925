/** The notice that explains why publishing was refused, by end reason (docs/conferences.md#end-reasons). */
import type { NoticeKey } from "../../../shared/domain/notice-texts.ts";
import { CONFR_END } from "../../../shared/protocol/confr-signalling.ts";

export const PUBLISH_REFUSED: Readonly<Record<number, NoticeKey>> = {
  [CONFR_END.tooManyVideos]: "conference.too-many-videos",
  [CONFR_END.tooManyDesktops]: "conference.too-many-desktops",
};
