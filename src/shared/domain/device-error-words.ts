/** The words of the table of device errors (device-errors.ts): a row per cause, with the name of microphone or camera put in. */
import type { MediaErrorCode } from "../media-errors.ts";
import type { DeviceCause } from "./device-states.ts";

/** What the person can do: try again, change a setting of browser or system, take another device, go on without. */
export type WayOut = "retry" | "settings" | "choose" | "without";

type Of = (device: string) => string;
export interface CauseWords {
  readonly code: MediaErrorCode;
  readonly what: readonly [zh: Of, en: Of];
  readonly advice: readonly [zh: Of, en: Of];
  readonly ways: readonly WayOut[];
  /** The screen in words of its own. */
  readonly screen: {
    readonly what: readonly [zh: string, en: string];
    readonly advice: readonly [zh: string, en: string];
    readonly ways: readonly WayOut[];
    readonly silent?: true;
  };
}

const INSECURE = ["请改用 https 地址打开本页面", "Open it by an https address"] as const;
const OTHER_BROWSER = [
  "请换用新版 Chrome、Edge、Firefox 或 Safari",
  "Use a recent Chrome, Edge, Firefox or Safari",
] as const;
const ALLOW: readonly [Of, Of] = [
  (d) => `请点击地址栏左侧的图标，允许使用${d}，然后重试`,
  (d) => `Click the icon left of the address, allow the ${d}, then try again`,
];
/** Each browser has another place for the permissions of a site. */
export type PermissionPlace = "chromium" | "firefox" | "safari";
export const ALLOW_IN: Readonly<Record<PermissionPlace, readonly [zh: Of, en: Of]>> = {
  chromium: [
    (d) => `请点击地址栏左侧的网站设置图标，把${d}改为“允许”，随即启用`,
    (d) =>
      `Click the site settings icon left of the address and set ${d} to “Allow”; it starts at once`,
  ],
  firefox: [
    (d) => `请点击地址栏左侧的权限图标，取消对${d}的“阻止”，再点“重试”`,
    (d) =>
      `Click the permissions icon left of the address, take the block of ${d} away, then retry`,
  ],
  safari: [
    (d) => `请在菜单“Safari 浏览器 › 设置 › 网站”中允许${d}，再点“重试”`,
    (d) => `Allow ${d} in the menu “Safari › Settings › Websites”, then retry`,
  ],
};
/** The person ends sharing by the browser's own button, or closes the window that is shared. */
const SCREEN_ENDED = {
  what: ["共享屏幕已结束", "Sharing the screen has ended"],
  advice: ["需要时请重新共享", "Share again when you wish"],
  ways: ["retry"],
  silent: true,
} as const;

export const CAUSE_WORDS: Readonly<Record<DeviceCause, CauseWords>> = {
  denied: {
    code: "media.permission-denied",
    what: [(d) => `浏览器未允许使用${d}`, (d) => `The browser is not allowed to use the ${d}`],
    advice: ALLOW,
    ways: ["retry", "settings", "without"],
    screen: {
      what: ["已取消共享屏幕", "Sharing the screen was cancelled"],
      advice: ["需要时请重新共享", "Share again when you wish"],
      ways: ["retry", "without"],
      silent: true,
    },
  },
  "system-denied": {
    code: "media.system-denied",
    what: [
      (d) => `系统未允许浏览器使用${d}`,
      (d) => `The system does not let the browser use the ${d}`,
    ],
    advice: [
      () => "请在系统的隐私设置中允许浏览器使用，然后重试",
      () => "Allow it in the privacy settings of the system, then try again",
    ],
    ways: ["retry", "settings", "without"],
    screen: {
      what: ["系统未允许浏览器录制屏幕", "The system does not let the browser record the screen"],
      advice: [
        "请在系统的隐私设置中允许浏览器录制屏幕，然后重试",
        "Allow it in the privacy settings of the system, then try again",
      ],
      ways: ["retry", "settings", "without"],
    },
  },
  revoked: {
    code: "media.permission-denied",
    what: [(d) => `${d}的使用权限已被收回`, (d) => `The permission to use the ${d} was taken away`],
    advice: ALLOW,
    ways: ["retry", "settings", "without"],
    screen: SCREEN_ENDED,
  },
  insecure: {
    code: "media.insecure",
    what: [
      (d) => `此页面不是安全连接 (https)，不能使用${d}`,
      (d) => `This page is not secure (https), so it cannot use the ${d}`,
    ],
    advice: [() => INSECURE[0], () => INSECURE[1]],
    ways: ["without"],
    screen: {
      what: [
        "此页面不是安全连接 (https)，不能共享屏幕",
        "This page is not secure (https), so it cannot share the screen",
      ],
      advice: INSECURE,
      ways: ["without"],
    },
  },
  unsupported: {
    code: "media.unsupported",
    what: [(d) => `此浏览器不能使用${d}`, (d) => `This browser cannot use the ${d}`],
    advice: [() => OTHER_BROWSER[0], () => OTHER_BROWSER[1]],
    ways: ["without"],
    screen: {
      what: ["此浏览器不能共享屏幕", "This browser cannot share the screen"],
      advice: OTHER_BROWSER,
      ways: ["without"],
    },
  },
  busy: {
    code: "media.device-busy",
    what: [(d) => `${d}被其他程序占用`, (d) => `Another program uses the ${d}`],
    advice: [
      () => "请关闭该程序后重试，或更换设备",
      () => "Close it and try again, or choose another device",
    ],
    ways: ["retry", "choose", "without"],
    screen: {
      what: ["无法读取所选的屏幕或窗口", "The chosen screen or window cannot be read"],
      advice: [
        "它可能受系统或其他程序保护，请重试，或换一个窗口",
        "The system or another program may protect it. Try again, or choose another window",
      ],
      ways: ["retry", "choose", "without"],
    },
  },
  unfit: {
    code: "media.device-unfit",
    what: [(d) => `所选的${d}不可用`, (d) => `The chosen ${d} cannot be used`],
    advice: [
      () => "请更换设备，或重新连接后重试",
      () => "Choose another device, or connect it again and retry",
    ],
    ways: ["retry", "choose", "without"],
    screen: {
      what: ["所选的屏幕或窗口不能共享", "The chosen screen or window cannot be shared"],
      advice: ["请重试，并换一个屏幕或窗口", "Try again with another screen or window"],
      ways: ["retry", "choose", "without"],
    },
  },
  aborted: {
    code: "media.aborted",
    what: [(d) => `打开${d}时被中断`, (d) => `Opening the ${d} was interrupted`],
    advice: [
      () => "请重试，仍然不行时请重新插拔设备",
      () => "Try again; if it fails again, reconnect the device",
    ],
    ways: ["retry", "choose", "without"],
    screen: {
      what: ["共享屏幕时被中断", "Sharing the screen was interrupted"],
      advice: ["请重试", "Try again"],
      ways: ["retry", "without"],
    },
  },
  inactive: {
    code: "media.inactive",
    what: [
      (d) => `页面不在前台，未能打开${d}`,
      (d) => `The page was not in front, so the ${d} did not open`,
    ],
    advice: [() => "请回到本页面后重试", () => "Come back to this page and try again"],
    ways: ["retry", "without"],
    screen: {
      what: ["页面不在前台，未能共享屏幕", "The page was not in front, so no screen is shared"],
      advice: ["请回到本页面后重试", "Come back to this page and try again"],
      ways: ["retry", "without"],
    },
  },
  failed: {
    code: "media.open-failed",
    what: [(d) => `${d}未能打开`, (d) => `The ${d} could not be opened`],
    advice: [() => "请重试，或更换设备", () => "Try again, or choose another device"],
    ways: ["retry", "choose", "without"],
    screen: {
      what: ["未能共享屏幕", "The screen could not be shared"],
      advice: ["请重试", "Try again"],
      ways: ["retry", "without"],
    },
  },
  unplugged: {
    code: "media.no-device",
    what: [(d) => `${d}已断开`, (d) => `The ${d} was disconnected`],
    advice: [
      () => "请重新连接，连接后会自动启用，或更换设备",
      () => "Connect it again: it starts by itself. Or choose another device",
    ],
    ways: ["retry", "choose", "without"],
    screen: SCREEN_ENDED,
  },
  missing: {
    code: "media.no-device",
    what: [(d) => `没有找到${d}`, (d) => `No ${d} was found`],
    advice: [
      () => "请连接设备，连接后会自动启用",
      () => "Connect one: it starts by itself once it is plugged in",
    ],
    ways: ["retry", "choose", "without"],
    screen: {
      what: ["没有找到可以共享的屏幕或窗口", "No screen or window to share was found"],
      advice: ["请打开要共享的窗口后重试", "Open the window that you want to share and try again"],
      ways: ["retry", "without"],
    },
  },
  "system-muted": {
    code: "media.system-muted",
    what: [(d) => `${d}已被系统关闭`, (d) => `The system has silenced the ${d}`],
    advice: [
      () => "请检查设备上的开关或静音键和系统设置，或更换设备",
      () =>
        "Check the switch or mute key of the device and the system's settings, or choose another device",
    ],
    ways: ["settings", "choose", "without"],
    screen: {
      what: ["共享的画面已被系统暂停", "The system has paused the shared picture"],
      advice: ["请恢复所共享的窗口，或重新共享", "Restore the shared window, or share again"],
      ways: ["retry", "choose"],
    },
  },
};
