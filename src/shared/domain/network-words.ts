/** Words about the network that the check before a conference, calls and conferences share. */

/** Media find no way out of this network at all. */
export const MEDIA_BLOCKED = {
  zh: "没有可用的网络地址，媒体可能被防火墙拦截",
  en: "No address for media was found; a firewall may block them",
} as const;
export const MEDIA_BLOCKED_ADVICE = {
  zh: "请换用其他网络，或请网络管理员放行音视频 (UDP)",
  en: "Use another network, or ask its administrator to let sound and picture (UDP) through",
} as const;
/** ms without any connection of a call or conference, from the beginning, after which it counts as blocked. */
export const MEDIA_BLOCKED_MILLIS = 10_000;
