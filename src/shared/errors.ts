/**
 * The one error that crosses threads and wires, and the catalogue of its codes.
 *
 * `message` is Chinese and meant for a person; the UI finds the English text by the code (error-texts-en.ts). `details` never carries a secret or a stack.
 */
import { cameraErrors } from "./camera-errors.ts";
import { type CatalogueEntry, entry } from "./error-entry.ts";
import { importErrors } from "./import-errors.ts";
import { mediaErrors } from "./media-errors.ts";
import { sessionErrors } from "./session-errors.ts";

export const ERROR_CATALOGUE = {
  // requests and wires
  "request.invalid": entry(400, "请求内容不正确"),
  "request.too-large": entry(413, "请求内容过大"),
  "request.rate-limited": entry(429, "操作过于频繁，请稍后再试", true),
  "request.cancelled": entry(0, "操作已取消"),
  "request.not-found": entry(404, "请求的内容不存在"),
  "request.conflict": entry(409, "数据已被修改，请刷新后重试"),
  "server.internal": entry(500, "服务器内部错误", true),
  "server.unavailable": entry(503, "服务暂不可用，请稍后重试", true),
  "server.unreachable": entry(0, "无法连接服务器，请重试", true),
  "network.offline": entry(0, "网络连接已断开", true),
  "network.timeout": entry(0, "请求超时，请稍后重试", true),
  "network.intercepted": entry(
    0,
    "请求被当前网络或代理拦截，收到的不是平台的回答。如果网络需要登录，请先完成登录，再重试",
    true,
  ),
  // invitations of employees
  "invite.closed": entry(410, "该邀请已失效，请联系企业重新邀请"),
  // files
  "file.wrong-type": entry(400, "文件格式不正确！"),
  "file.too-large": entry(413, "上传文件大小超过限制！"),
  "file.too-many": entry(400, "上传文件数量超过限制！"),
  "file.quota": entry(413, "企业的文件空间已满，请先删除不用的文件"),
  "file.used": entry(409, "文件正在使用，不能删除"),
  "file.empty": entry(400, "文件为空，无法发送"),
  "file.gone": entry(404, "文件已不可用，请重新选择后发送"),
  "file.upload-failed": entry(400, "上传失败，请重试", true),
  "list.export-cancelled": entry(0, "导出已取消"),
  ...importErrors,
  ...sessionErrors,
  // core and tabs
  "core.gone": entry(0, "后台服务正在恢复，请重试", true),
  "code.replaced": entry(0, "系统已更新，请刷新页面后继续"),
  "core.deadline": entry(0, "操作超时，请重试", true),
  "core.unsupported": entry(0, "当前浏览器不支持，请使用新版 Chrome、Edge、Firefox 或 Safari"),
  "core.bad-message": entry(0, "收到无法识别的消息"),
  // chat
  "chat.not-connected": entry(0, "聊天服务未连接", true),
  "chat.send-failed": entry(0, "消息发送失败，请重试", true),
  "chat.not-allowed": entry(403, "不能与对方聊天"),
  "chat.muted": entry(403, "您已被禁言"),
  "chat.not-in-group": entry(404, "群组不存在，或您已不在群组中"),
  "chat.recall-failed": entry(0, "消息撤回失败"),
  "chat.combined-limit": entry(400, "合并的聊天记录超过限制，无法转发"),
  "chat.combined-unreadable": entry(422, "聊天记录已损坏，无法打开"),
  "chat.combined-gone": entry(404, "聊天记录已过期，无法打开"),
  "chat.forward-limit": entry(400, "逐条转发的消息过多，请减少消息或接收人，或改用合并转发"),
  "chat.edit-limit": entry(409, "该消息已不能再编辑"),
  "chat.group-forbidden": entry(403, "您无权管理该群组"),
  "chat.group-foreign": entry(403, "只能邀请本公司成员"),
  "chat.group-join-failed": entry(502, "加入群组失败", true),
  "chat.group-save-failed": entry(502, "保存加入群组数据失败", true),
  "chat.group-full": entry(409, "群组人数已满"),
  "chat.no-credentials": entry(400, "请输入账号和密码"),
  "chat.user-not-found": entry(404, "用户名不存在！"),
  "chat.invalid-password": entry(400, "密码无效！"),
  "chat.user-banned": entry(403, "用户已被封禁！"),
  "chat.kicked": entry(0, "您的聊天账号在其他设备被移除登录"),
  // calls (docs/calls.md#texts)
  "call.busy-self": entry(409, "您当前正在通话中,请结束当前通话后再次发起。"),
  "call.self": entry(400, "不能和自己音视频通话"),
  "call.ring-send-failed": entry(0, "通话请求发送失败，请重试。", true),
  "call.answer-send-failed": entry(0, "答复音视频通话请求发送失败，请重试。", true),
  "call.confirm-send-failed": entry(0, "确认音视频通话请求发送失败，请重试。", true),
  "call.cancel-failed": entry(0, "取消音视频通话失败", true),
  "call.not-active": entry(409, "当前没有通话"),
  "call.over": entry(410, "通话已结束"),
  "call.not-allowed": entry(403, "不能与对方通话"),
  "call.peer-old": entry(0, "对方的客户端版本不支持添加成员，本次通话仍为双人通话"),
  "call.growth-failed": entry(0, "暂时无法添加成员，本次通话仍为双人通话，请稍后重试", true),
  "call.growth-running": entry(409, "正在添加成员，请稍候"),
  "call.connection-failed": entry(0, "音视频连接失败", true),
  // media
  ...mediaErrors,
  "media.no-connections": entry(
    0,
    "当前浏览器不支持音视频通话（RTCPeerConnection），请使用新版 Chrome、Edge、Firefox 或 Safari",
  ),
  "media.cannot-record": entry(0, "当前浏览器不能录制，请使用新版 Chrome、Edge 或 Firefox"),
  "media.nothing-recorded": entry(0, "没有录到内容"),
  "media.no-picture": entry(0, "现在没有画面"),
  "media.stale-owner": entry(0, "通话画面已转到其他标签页"),
  // conferences
  "conference.media-unavailable": entry(503, "媒体服务暂不可用，请稍后重试", true),
  "conference.refused": entry(403, "会议服务拒绝了该操作"),
  "conference.invalid": entry(400, "会议操作不正确"),
  "conference.current-calling": entry(409, "正在通话或会议中，请先结束"),
  "conference.not-joined": entry(409, "尚未加入会议"),
  "conference.connection-failed": entry(0, "会议媒体连接失败", true),
  ...cameraErrors,
  // signalling
  "signalling.refused": entry(403, "无法进入通话房间"),
  "signalling.bad-frame": entry(400, "信令格式不正确"),
  "signalling.timeout": entry(0, "信令超时", true),
} as const satisfies Record<string, CatalogueEntry>;

export type ErrorCode = keyof typeof ERROR_CATALOGUE;

/** The shape of an AppError on a port or a wire (protocol/wire-error.ts). */
export interface WireError {
  code: ErrorCode;
  message: string;
  retryable: boolean;
  details?: Record<string, unknown> | undefined;
}

/**
 * An error that can be shown to a person.
 *
 * @param code one of ERROR_CATALOGUE
 * @param options.message replaces the catalogue's Chinese text, for a server's own message
 * @param options.details machine-readable facts; must be cloneable and free of secrets
 */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly retryable: boolean;
  readonly details: Record<string, unknown> | undefined;

  constructor(
    code: ErrorCode,
    options: {
      message?: string | undefined;
      retryable?: boolean | undefined;
      details?: Record<string, unknown> | undefined;
      cause?: unknown;
    } = {},
  ) {
    super(
      options.message ?? ERROR_CATALOGUE[code].zh,
      options.cause === undefined ? undefined : { cause: options.cause },
    );
    this.name = "AppError";
    this.code = code;
    this.retryable = options.retryable ?? ERROR_CATALOGUE[code].retryable;
    this.details = options.details;
  }

  toWire(): WireError {
    return {
      code: this.code,
      message: this.message,
      retryable: this.retryable,
      ...(this.details === undefined ? {} : { details: this.details }),
    };
  }

  static fromWire(wire: WireError): AppError {
    return new AppError(wire.code, {
      message: wire.message,
      retryable: wire.retryable,
      details: wire.details,
    });
  }

  /** Wraps any thrown value; a value that is not an AppError becomes one with the code `fallback`. */
  static from(value: unknown, fallback: ErrorCode = "server.internal"): AppError {
    return value instanceof AppError ? value : new AppError(fallback, { cause: value });
  }
}
