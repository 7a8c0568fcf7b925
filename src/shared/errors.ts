/**
 * The one error that crosses threads and wires, and the catalogue of its codes.
 *
 * `message` is Chinese and meant for a person; the English text stands beside it in the catalogue and is
 * picked by the UI by code. `details` never carries a secret or a stack.
 */
import { z } from "./zod.ts";

interface CatalogueEntry {
  readonly zh: string;
  readonly en: string;
  readonly retryable: boolean;
  /** HTTP status the server answers with when this error ends a request. */
  readonly http: number;
}

const entry = (http: number, zh: string, en: string, retryable = false): CatalogueEntry => ({
  zh,
  en,
  retryable,
  http,
});

export const ERROR_CATALOGUE = {
  // requests and wires
  "request.invalid": entry(400, "请求内容不正确", "The request is not valid"),
  "request.too-large": entry(413, "请求内容过大", "The request is too large"),
  "request.rate-limited": entry(
    429,
    "操作过于频繁，请稍后再试",
    "Too many requests, try again later",
    true,
  ),
  "request.not-found": entry(404, "请求的内容不存在", "Not found"),
  "request.conflict": entry(
    409,
    "数据已被修改，请刷新后重试",
    "The data has changed, refresh and retry",
  ),
  "server.internal": entry(500, "服务器内部错误", "Internal server error", true),
  "server.unavailable": entry(503, "服务暂不可用，请稍后重试", "The service is unavailable", true),
  "network.offline": entry(0, "网络连接已断开", "The network is disconnected", true),
  "network.timeout": entry(0, "请求超时，请稍后重试", "The request timed out", true),
  // invitations of employees
  "invite.closed": entry(
    410,
    "该邀请已失效，请联系企业重新邀请",
    "This invitation is no longer valid, ask the company for a new one",
  ),
  // files
  "file.wrong-type": entry(
    400,
    "文件格式不正确！",
    "file format incorrect, please upload one of the allowed formats!",
  ),
  "file.too-large": entry(413, "上传文件大小超过限制！", "the uploaded file is too large!"),
  "file.too-many": entry(400, "上传文件数量超过限制！", "too many files were uploaded!"),
  "file.quota": entry(
    413,
    "企业的文件空间已满，请先删除不用的文件",
    "The company's space for files is full, remove files that are no longer needed",
  ),
  "file.upload-failed": entry(400, "上传失败，请重试", "upload failed, please retry", true),
  // files of a batch import: what is wrong, and what to do about it
  "import.cancelled": entry(0, "导入已取消", "The import was cancelled"),
  "import.empty": entry(
    400,
    "文件是空的，没有可以导入的内容",
    "The file is empty, there is nothing to import",
  ),
  "import.not-table": entry(
    400,
    "无法识别这个文件，请选择 .xlsx、.xls 或 .csv 表格文件",
    "This file is not a table, choose an .xlsx, .xls or .csv file",
  ),
  "import.html": entry(
    400,
    "这个文件其实是网页，不是表格。请用 Excel 或 WPS 打开后另存为 .xlsx 再导入",
    "This file is a web page, not a table. Open it in Excel or WPS, save it as .xlsx and try again",
  ),
  "import.unsupported": entry(
    400,
    "暂不支持这种表格格式，请用 Excel 或 WPS 另存为 .xlsx 再导入",
    "This kind of table is not supported, save it as .xlsx and try again",
  ),
  "import.encrypted": entry(
    400,
    "文件设有打开密码，请先去掉密码再导入",
    "The file is protected by a password, remove the password and try again",
  ),
  "import.corrupt": entry(
    400,
    "文件已损坏或不完整，请重新保存或重新下载后再导入",
    "The file is damaged or incomplete, save or download it again",
  ),
  "import.too-large": entry(
    413,
    "表格内容过大，超出了可以导入的范围，请拆分成几个文件再导入",
    "The table is too large to import, split it into several files",
  ),
  "import.too-many-rows": entry(
    413,
    "表格超过 1,048,576 行，请拆分成几个文件再导入",
    "The table has more than 1,048,576 rows, split it into several files",
  ),
  "import.too-many-columns": entry(
    413,
    "表格超过 500 列，请删去不需要的列再导入",
    "The table has more than 500 columns, remove those not needed",
  ),
  "import.cell-too-long": entry(
    413,
    "有单元格的内容超过 32,767 个字，请缩短后再导入",
    "A cell holds more than 32,767 characters, shorten it",
  ),
  "import.encoding": entry(
    400,
    "文件的文字编码无法识别，请另存为“CSV UTF-8”或 .xlsx 再导入",
    "The text encoding is not known, save the file as CSV UTF-8 or .xlsx",
  ),
  "import.csv-quote": entry(
    400,
    "有一个双引号没有成对，后面的内容无法分列，请检查后再导入",
    "A double quote is never closed, so the columns cannot be told apart",
  ),
  "import.staging-full": entry(
    0,
    "本机的存储空间不足，无法暂存要导入的内容，请清理磁盘空间后重试",
    "There is not enough storage on this machine to stage the rows, free some space and try again",
    true,
  ),
  "import.no-sheet": entry(400, "文件里没有工作表", "The file has no sheet"),
  // sending of what was checked
  "import.too-many-jobs": entry(
    409,
    "本公司正在进行的导入过多，将在其他导入结束后继续",
    "Too many imports of this company are running, this one goes on when others have ended",
    true,
  ),
  "import.closed": entry(409, "该导入任务已取消", "This import was cancelled"),
  "import.other-shape": entry(
    409,
    "该文件已用另一个版本的程序导入过一部分，请稍作修改并另存后重新导入",
    "Part of this file was imported by another version of the program, change it a little and import it again",
  ),
  "import.staging-lost": entry(
    0,
    "浏览器清除了待导入的数据，请重新选择文件导入，已导入的行不会重复",
    "The browser removed the rows that were to be sent, choose the file again; no row goes in twice",
  ),
  // session
  "auth.required": entry(401, "请先登录", "Please log in"),
  "auth.expired": entry(401, "登录已过期，请重新登录", "Your login has expired", false),
  "auth.invalid-credentials": entry(400, "用户名或密码错误", "Wrong user name or password"),
  "auth.invalid-client": entry(400, "系统名称不正确", "Unknown system name"),
  "auth.refresh-refused": entry(
    401,
    "登录已失效，请重新登录",
    "Your login is no longer valid",
    false,
  ),
  "auth.locked": entry(
    429,
    "登录失败次数过多，请稍后再试",
    "Too many failed logins, try again later",
    true,
  ),
  "auth.company-changed": entry(
    409,
    "企业已切换，刚才的操作没有执行，请在当前企业中重新操作",
    "The company was switched; what you just did was not carried out, do it again in the present company",
  ),
  "auth.forbidden": entry(403, "没有权限进行此操作", "You are not allowed to do this"),
  "auth.info-failed": entry(
    400,
    "获取用户信息出错，请刷新重试",
    "Fetching the user information failed, refresh and retry",
    true,
  ),
  "auth.no-roles": entry(
    403,
    "当前登录用户没有使用权限",
    "The current user has no permission to use this system",
  ),
  // core and tabs
  "core.gone": entry(
    0,
    "后台服务正在恢复，请重试",
    "The background worker is being restored, retry",
    true,
  ),
  "core.deadline": entry(0, "操作超时，请重试", "The operation timed out, retry", true),
  "core.unsupported": entry(
    0,
    "当前浏览器不支持，请使用新版 Chrome、Edge、Firefox 或 Safari",
    "This browser is not supported, use a recent Chrome, Edge, Firefox or Safari",
  ),
  "core.bad-message": entry(0, "收到无法识别的消息", "A message could not be understood"),
  // chat
  "chat.not-connected": entry(0, "聊天服务未连接", "Chat is not connected", true),
  "chat.send-failed": entry(0, "消息发送失败，请重试", "The message could not be sent", true),
  "chat.not-allowed": entry(403, "不能与对方聊天", "You cannot chat with this person"),
  "chat.user-not-found": entry(404, "用户名不存在！", "username does not exist!"),
  "chat.invalid-password": entry(400, "密码无效！", "password invalid!"),
  "chat.user-banned": entry(403, "用户已被封禁！", "user has been banned!"),
  "chat.kicked": entry(
    0,
    "您的聊天账号在其他设备被移除登录",
    "Your chat account was signed out elsewhere",
  ),
  // calls (docs/calls.md#texts)
  "call.busy-self": entry(
    409,
    "您当前正在通话中,请结束当前通话后再次发起。",
    "You are in a call. End it before you start another.",
  ),
  "call.self": entry(400, "不能和自己音视频通话", "You cannot call yourself"),
  "call.ring-send-failed": entry(
    0,
    "通话请求发送失败，请重试。",
    "The call request could not be sent, retry.",
    true,
  ),
  "call.answer-send-failed": entry(
    0,
    "答复音视频通话请求发送失败，请重试。",
    "The answer could not be sent, retry.",
    true,
  ),
  "call.confirm-send-failed": entry(
    0,
    "确认音视频通话请求发送失败，请重试。",
    "The confirmation could not be sent, retry.",
    true,
  ),
  "call.cancel-failed": entry(0, "取消音视频通话失败", "The call could not be cancelled", true),
  "call.not-active": entry(409, "当前没有通话", "There is no call"),
  "call.not-allowed": entry(403, "不能与对方通话", "You cannot call this person"),
  "call.link-failed": entry(0, "音视频连接失败", "The audio/video connection failed", true),
  // media
  "media.no-device": entry(
    0,
    "没有可用的麦克风或摄像头",
    "getUserMedia error: not have input device",
  ),
  "media.permission-denied": entry(
    0,
    "浏览器未允许使用麦克风或摄像头，请在地址栏左侧打开权限后重试",
    "The browser was not allowed to use the microphone or camera",
  ),
  "media.device-busy": entry(
    0,
    "麦克风或摄像头被其他程序占用",
    "The microphone or camera is used by another program",
    true,
  ),
  "media.open-failed": entry(0, "打开麦克风或摄像头失败", "open media error.", true),
  "media.no-connections": entry(
    0,
    "当前浏览器不支持音视频通话（RTCPeerConnection），请使用新版 Chrome、Edge、Firefox 或 Safari",
    "This browser has no calls (RTCPeerConnection), use a recent Chrome, Edge, Firefox or Safari",
  ),
  "media.stale-owner": entry(0, "通话画面已转到其他标签页", "The call is carried by another tab"),
  // conferences
  "conference.media-unavailable": entry(
    503,
    "媒体服务暂不可用，请稍后重试",
    "The media service is not available now",
    true,
  ),
  "conference.refused": entry(403, "会议服务拒绝了该操作", "The conference service refused"),
  "conference.invalid": entry(400, "会议操作不正确", "The conference operation is not valid"),
  "conference.current-calling": entry(
    409,
    "正在通话或会议中，请先结束",
    "CurrentCalling: end the present call or conference first",
  ),
  "conference.not-joined": entry(409, "尚未加入会议", "Not in a conference"),
  "conference.link-failed": entry(0, "会议媒体连接失败", "The media connection failed", true),
  // signalling
  "signalling.refused": entry(403, "无法进入通话房间", "Entering the room was refused"),
  "signalling.bad-frame": entry(400, "信令格式不正确", "The signalling frame is not valid"),
  "signalling.timeout": entry(0, "信令超时", "Signalling timed out", true),
} as const satisfies Record<string, CatalogueEntry>;

export type ErrorCode = keyof typeof ERROR_CATALOGUE;

export const errorCodeSchema = z.enum(Object.keys(ERROR_CATALOGUE) as [ErrorCode, ...ErrorCode[]]);

/** The shape of an AppError on a port or a wire. */
export const wireErrorSchema = z.object({
  code: errorCodeSchema,
  message: z.string(),
  retryable: z.boolean(),
  details: z.record(z.string(), z.unknown()).optional(),
});
export type WireError = z.infer<typeof wireErrorSchema>;

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
