/**
 * ms that a tab waits for each command of the core. They stand apart from the schemas, because a tab sends commands without checking
 * them: the schemas would be a part of every page.
 */
import type { Commands } from "./core-rpc.ts";

const USUAL = 15_000;
const LONG = 30_000;
const LONGER = 60_000;
/** The longest request. */
const REQUEST = 120_000;
/** 5 MB at 80 kbit/s. */
const UPLOAD = 600_000;
/** A person may take long to answer the browser's permission prompt. */
const PROMPT = 600_000;

export const COMMAND_DEADLINES = {
  session: {
    login: REQUEST,
    whose: REQUEST,
    adopt: USUAL,
    loadInfo: REQUEST,
    logout: LONG,
    switchCompany: REQUEST,
    switchSystem: REQUEST,
    lock: USUAL,
    unlock: REQUEST,
    answerExpired: LONG,
    cookieToken: USUAL,
  },
  rest: {
    call: REQUEST,
    watch: USUAL,
  },
  files: {
    read: REQUEST,
    sendLicence: UPLOAD,
    readLicence: REQUEST,
    setAvatar: UPLOAD,
    avatar: REQUEST,
  },
  uploads: {
    start: REQUEST,
    cancel: USUAL,
    retry: USUAL,
    clear: USUAL,
  },
  downloads: {
    start: USUAL,
    collect: USUAL,
    cancel: USUAL,
    retry: USUAL,
    clear: USUAL,
  },
  alerts: {
    dismiss: USUAL,
  },
  people: {
    list: REQUEST,
  },
  chat: {
    open: LONG,
    older: LONG,
    newer: LONG,
    newest: USUAL,
    send: USUAL,
    sendFile: LONG,
    sendCard: USUAL,
    typing: USUAL,
    cancel: USUAL,
    picture: USUAL,
    resend: USUAL,
    edit: LONG,
    recall: LONG,
    react: LONG,
    forward: LONGER,
    readCombined: LONGER,
    erase: LONGER,
    reach: LONGER,
    pin: LONG,
    mute: LONG,
    forget: LONG,
    markRead: USUAL,
  },
  group: {
    create: LONGER,
    invite: LONGER,
    remove: LONGER,
    leave: LONGER,
    dissolve: LONGER,
    settings: LONGER,
    announce: LONGER,
    setAdmin: LONGER,
    transfer: LONGER,
    mute: LONGER,
    muteAll: LONGER,
    allow: LONGER,
    answerInvitation: LONGER,
    join: LONGER,
    answerApplication: LONGER,
    setCard: LONGER,
    block: LONGER,
    blocked: LONGER,
    readers: LONGER,
    files: LONGER,
    shareFile: UPLOAD,
    cancelFile: USUAL,
    removeFile: LONGER,
    find: LONGER,
    members: LONGER,
    memberPage: LONGER,
  },
  friend: {
    add: LONGER,
    accept: LONGER,
    decline: LONGER,
    remove: LONGER,
    block: LONGER,
    unblock: LONGER,
    remark: LONGER,
    refresh: LONGER,
  },
  call: {
    start: LONG,
    answer: LONG,
    hangup: LONG,
    setLocal: USUAL,
    bringHere: USUAL,
    goOn: USUAL,
  },
  groupCall: {
    start: LONG,
    grow: LONGER,
    join: LONG,
    answer: LONG,
    invite: LONG,
    leave: LONG,
  },
  imports: {
    start: USUAL,
    pause: USUAL,
    resume: USUAL,
    cancel: LONG,
    dismiss: USUAL,
    context: LONG,
    taken: LONGER,
  },
  conference: {
    controlCamera: LONG,
    allowCameraControl: USUAL,
    restoreCamera: USUAL,
    create: LONG,
    join: LONG,
    joinRoom: LONG,
    joinWithTicket: LONG,
    exit: LONG,
    publish: PROMPT,
    constrain: USUAL,
    unpublish: LONG,
    subscribe: LONG,
    unsubscribe: USUAL,
    setLocal: USUAL,
    grantRole: LONG,
    degradeRole: LONG,
    kick: LONG,
    muteAll: LONG,
    muteMember: LONG,
    hand: LONG,
    annotate: REQUEST,
    watchMarks: USUAL,
    request: LONG,
    answerRequest: LONG,
    setAttrs: LONG,
    deleteAttrs: LONG,
    addLive: LONG,
    updateLive: LONG,
    deleteLive: LONG,
    sendMessage: USUAL,
    record: LONG,
    pauseRecording: USUAL,
    stopRecording: LONG,
    bringHere: USUAL,
    select: LONG,
    invite: LONG,
    askControl: USUAL,
    sendControl: USUAL,
    releaseControl: USUAL,
    answerControl: USUAL,
    stopControl: USUAL,
  },
  library: {
    identify: USUAL,
  },
  worker: {
    echo: USUAL,
    checkBuild: USUAL,
    busy: USUAL,
    fanOut: USUAL,
    pageVitals: USUAL,
    reportError: USUAL,
  },
} as const satisfies {
  readonly [N in keyof Commands]: { readonly [M in keyof Commands[N]]: number };
};

/** Names of the methods by namespace, for code that knows them as text only. */
export const deadlineOf = (namespace: string, method: string): number => {
  const methods: Readonly<Record<string, number>> | undefined =
    COMMAND_DEADLINES[namespace as keyof Commands];
  return methods?.[method] ?? USUAL;
};
