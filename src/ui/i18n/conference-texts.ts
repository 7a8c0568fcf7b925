/** Adds the Chinese texts of conferences. Each part that shows some of them imports this, so no other page loads them. */
import { instance } from "./language.ts";
import { conferenceZh } from "./zh-conference.ts";

instance.addResourceBundle("zh", "translation", { conference: conferenceZh }, true, true);
