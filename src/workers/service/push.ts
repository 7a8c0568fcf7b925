/** What the service worker does with a push and with a click on its notification (docs/calls.md#web-push). */
import {
  type PushClick,
  pushClickSchema,
  type PushNote,
  pushNoteSchema,
  type PushPayload,
  pushPayloadSchema,
  pushPath,
  type PushWish,
  type RingEnd,
  ringTag,
} from "../../shared/protocol/push.ts";

/** The parts of a service worker that the handlers use. */
export interface PushWorld {
  show(title: string, options: NotificationOptions): Promise<void>;
  /** Takes away the notifications with this tag. */
  close(tag: string): Promise<void>;
  /** Tabs of the console, the one used last first. */
  tabs(): Promise<readonly PushTab[]>;
  open(path: string): Promise<void>;
  /** Leaves word for the tab that is opened next. */
  keep(wish: PushWish): Promise<void>;
  /** ms since the epoch. */
  now(): number;
  /** Refuses the call; rejects when the server cannot be reached. */
  refuse(token: string): Promise<void>;
}
export interface PushTab {
  readonly visible: boolean;
  focus(): Promise<void>;
  send(message: PushClick): void;
}

type Language = PushPayload["language"];
const TEXTS = {
  voice: { zh: "邀请您进行语音通话", en: "Incoming voice call" },
  video: { zh: "邀请您进行视频通话", en: "Incoming video call" },
  answer: { zh: "接听", en: "Answer" },
  refuse: { zh: "拒绝", en: "Decline" },
  answered: { zh: "已在其他设备接听", en: "Answered on another device" },
  refused: { zh: "已在其他设备拒绝", en: "Declined on another device" },
  missed: { zh: "未接来电", en: "Missed call" },
  failed: {
    zh: "拒绝未成功，请打开页面处理",
    en: "Declining failed. Open the console to answer or decline",
  },
} as const satisfies Record<string, Record<Language, string>>;

/** Types of the platform lag behind: browsers know actions and renotify for service workers. */
interface CallNotificationOptions extends NotificationOptions {
  readonly actions?: readonly { readonly action: string; readonly title: string }[];
  readonly renotify?: boolean;
}

const ICON = "/favicon.svg";

/** A notification that stays until the person answers or refuses. */
function ringOptions(
  note: PushNote & { readonly token: string },
  language: Language,
  text: "voice" | "video" | "failed",
): CallNotificationOptions {
  return {
    requireInteraction: true,
    icon: ICON,
    body: TEXTS[text][language],
    tag: ringTag(note.callId),
    lang: language,
    data: { ...note, language },
    actions: [
      { action: "answer", title: TEXTS.answer[language] },
      { action: "refuse", title: TEXTS.refuse[language] },
    ],
  };
}

function endOptions(payload: PushPayload, how: RingEnd): NotificationOptions {
  const { callId, from, language } = payload;
  const note: PushNote = { callId, from };
  return {
    icon: ICON,
    body: TEXTS[how][language],
    tag: ringTag(callId),
    lang: language,
    silent: true,
    data: { ...note, language },
  };
}

/** @param text what the push contains; one that is not ours shows nothing */
export async function onPush(text: string, world: PushWorld): Promise<void> {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return;
  }
  const parsed = pushPayloadSchema.safeParse(json);
  if (!parsed.success) return;
  const payload = parsed.data;
  if (payload.kind === "ring") {
    const { callId, from, token, language, media } = payload;
    await world.show(payload.name, ringOptions({ callId, from, token }, language, media));
    return;
  }
  // A person who sees a tab needs no line about a ring that ended well.
  const seen = payload.how !== "missed" && (await world.tabs()).some(({ visible }) => visible);
  await world.close(ringTag(payload.callId));
  // Browsers forbid pushes that show nothing. So the ring is replaced by a quiet line.
  if (!seen) await world.show(payload.name, endOptions(payload, payload.how));
}

/** @param data what the notification keeps */
export async function onClick(
  clicked: { readonly action: string; readonly title: string; readonly data: unknown },
  world: PushWorld,
): Promise<void> {
  const parsed = pushNoteSchema
    .extend({ language: pushPayloadSchema.options[0].shape.language })
    .safeParse(clicked.data);
  if (!parsed.success) return;
  const { callId, from, token, language } = parsed.data;
  await world.close(ringTag(callId));
  if (clicked.action === "refuse" && token !== undefined) {
    try {
      await world.refuse(token);
    } catch {
      await world.show(clicked.title, ringOptions({ callId, from, token }, language, "failed"));
    }
    return;
  }
  const click = pushClickSchema.parse({
    kind: "push-click",
    callId,
    from,
    answer: clicked.action === "answer",
    refuse: clicked.action === "refuse",
  });
  const [tab] = await world.tabs();
  if (tab === undefined) {
    // The tab that rang has closed.
    if (click.refuse) return;
    if (click.answer) await world.keep({ callId, at: world.now() });
    await world.open(pushPath(from));
    return;
  }
  // Who refuses goes on with what they do.
  // A browser may refuse the focus; the click counts all the same.
  if (!click.refuse) await tab.focus().catch(() => undefined);
  tab.send(click);
}
