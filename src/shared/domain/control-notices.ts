/** What people read when the control of a shared screen ends, or when there is none (part of NOTICE_TEXTS). */
type Named = (args: Readonly<Record<string, string | number>>) => string;
const zh =
  (text: string): Named =>
  ({ name }) =>
    `${name}${text}`;
const en =
  (text: string): Named =>
  ({ name }) =>
    `${name} ${text}`;

export const CONTROL_NOTICES = {
  // --- to the controller
  "control.rejected": { zh: zh("拒绝了远程控制请求"), en: en("declined your request for control") },
  "control.busy": {
    zh: zh("的屏幕正被他人控制，请稍后再试"),
    en: ({ name }) => `Somebody else controls the screen of ${name}. Try again later`,
  },
  "control.notAllowed": {
    zh: zh("的屏幕不支持远程控制"),
    en: ({ name }) => `The screen of ${name} cannot be controlled`,
  },
  "control.late": {
    zh: zh("没有回应，远程控制已结束"),
    en: en("did not answer; there is no control"),
  },
  "control.released": {
    zh: ({ name }) => `已释放对${name}屏幕的控制`,
    en: ({ name }) => `You released the screen of ${name}`,
  },
  "control.stopped": { zh: zh("已停止您的远程控制"), en: en("stopped your control") },
  "control.gone": {
    zh: ({ name }) => `对${name}屏幕的控制已结束`,
    en: ({ name }) => `Control of the screen of ${name} has ended`,
  },
  // --- to the controlled person
  "controlled.released": {
    zh: zh("已结束对您屏幕的控制"),
    en: en("no longer controls your screen"),
  },
  "controlled.stopped": {
    zh: ({ name }) => `您已停止${name}的控制`,
    en: ({ name }) => `You stopped the control by ${name}`,
  },
  "controlled.late": {
    zh: zh("长时间没有操作，控制已自动结束"),
    en: en("did nothing for a while, so control ended"),
  },
  "controlled.gone": {
    zh: zh("对您屏幕的控制已结束"),
    en: ({ name }) => `Control by ${name} has ended`,
  },
} as const satisfies Readonly<Record<string, { readonly zh: Named; readonly en: Named }>>;
