/** Texts of 邀请记录, of invitations by mobile number, and of their QR codes on paper. */
import type { InvitationStatus } from "../../../shared/protocol/rest/invitations.ts";
import { texts } from "../../i18n/texts.ts";

export const INVITATION_TEXTS = texts({
  title: ["邀请记录", "Invitations"],
  total: ["共 {{count}} 个邀请", "{{count}} {count|invitation|invitations}"],
  failedList: ["邀请记录未能加载", "The invitations could not be loaded"],
  emptyList: [
    "发出邀请后，可以在这里看到谁已加入。",
    "Invitations appear here, and who has joined by them.",
  ],
  search: ["部门、岗位、姓名或手机号", "Department, position, name or mobile number"],
  forWhom: ["邀请对象", "Invited"],
  anybody: ["新员工", "New staff"],
  status: ["状态", "State"],
  open: ["可使用", "Open"],
  sent: ["短信已发送", "SMS sent"],
  failed: ["短信未发送", "SMS not sent"],
  opened: ["已打开", "Opened"],
  used: ["已用完", "Used"],
  expired: ["已过期", "Expired"],
  revoked: ["已撤回", "Revoked"],
  bound: ["已绑定账号", "Has an account"],
  noNumber: ["没有手机号", "No mobile number"],
  invited: ["已邀请", "Invited"],
  reason: ["未发送原因", "Why it was not sent"],
  roles: ["角色", "Roles"],
  staff: ["员工", "Staff"],
  uses: ["已加入", "Joined"],
  people: ["加入的人", "People who joined"],
  createdBy: ["邀请人", "Invited by"],
  createTime: ["邀请时间", "Invited at"],
  expiresAt: ["有效期至", "Valid until"],
  address: ["链接", "Link"],
  fromImport: ["导入", "Import"],
  link: ["查看链接", "Show the link"],
  send: ["发送短信", "Send an SMS"],
  sendAsk: [
    "将邀请链接以短信发送给“{{name}}”，确定要发送吗？",
    "Send the link to “{{name}}” by SMS?",
  ],
  sendDone: ["短信已发送", "The SMS is sent"],
  revoke: ["撤回", "Revoke"],
  revokeAsk: [
    "撤回后无人再能使用该链接加入，已加入的人不受影响。确定要撤回吗？",
    "Nobody else can join by the link; who has joined stays. Revoke it?",
  ],
  revokeDone: ["邀请已撤回", "The invitation is revoked"],
  byMobile: ["手机号邀请", "Invite by SMS"],
  byMobileHint: [
    "每个手机号收到一条短信，其中的链接只供该号码使用一次。",
    "Each number gets an SMS with a link that this number alone can use, once.",
  ],
  mobiles: ["手机号", "Mobile numbers"],
  mobilesHint: ["每行一个，最多 {{most}} 个", "One a line, {{most}} at most"],
  mobilesWrong: ["第 {{at}} 个手机号格式不正确", "Number {{at}} is not a mobile number"],
  mobilesMany: ["最多 {{most}} 个手机号", "{{most}} numbers at most"],
  sendAll: ["发送邀请", "Send"],
  results: ["发送结果", "What was sent"],
  printQr: ["打印二维码", "Print QR codes"],
  saveQr: ["下载二维码", "Download QR codes"],
  qrFile: ["邀请二维码", "Invitation QR codes"],
  manyCodes: ["一次最多 {{most}} 个二维码", "At most {{most}} QR codes at once"],
  printHint: [
    "把仍可使用的邀请的二维码排在 A4 纸上，每页 12 个，附姓名。最多 {{most}} 个。",
    "The QR codes of invitations that are still open, with names, 12 on a page of A4; {{most}} at most.",
  ],
  allHint: ["不选时为全部邀请", "All invitations when none is chosen"],
  print: ["打印", "Print"],
  printNone: ["没有可打印的邀请", "There is no open invitation"],
  scan: ["扫码加入{{company}}", "Scan to join {{company}}"],
  inRecords: ["在邀请记录中查看", "Show in the invitations"],
});

/** The colours of the states. */
export const INVITATION_KINDS: Readonly<Record<InvitationStatus, string>> = {
  open: "success",
  sent: "success",
  failed: "danger",
  opened: "success",
  used: "primary",
  expired: "info",
  revoked: "danger",
};

const USABLE: readonly InvitationStatus[] = ["open", "sent", "failed", "opened"];
/** Whether somebody can still join by it. */
export const isUsable = ({ status }: { readonly status: InvitationStatus }): boolean =>
  USABLE.includes(status);
