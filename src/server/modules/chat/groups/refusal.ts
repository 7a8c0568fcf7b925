/** Why an action on a group is refused: an error of the catalogue, and the answer to the provider's SDK, which finds the kind of error by its text. */
import { AppError, type ErrorCode } from "../../../../shared/errors.ts";
import { ProviderError } from "../rest/provider-app.ts";

type Answer = ConstructorParameters<typeof ProviderError>;

export class GroupRefusal extends AppError {
  readonly answer: Answer;
  constructor(code: ErrorCode, message: string, answer: Answer, fields?: Record<string, string>) {
    super(code, { message, ...(fields === undefined ? {} : { details: { fields } }) });
    this.name = "GroupRefusal";
    this.answer = answer;
  }
}

/** A missing group, and one that is hidden from the caller. */
export const groupMissing = (): GroupRefusal =>
  new GroupRefusal("request.not-found", "群组不存在", [
    404,
    "resource_not_found",
    "do not find this group",
  ]);
export const notInside = (): GroupRefusal =>
  new GroupRefusal("request.not-found", "对方不在群组中", [
    403,
    "forbidden_op",
    "users are not members of this group!",
  ]);
export const forbidden = (message: string): GroupRefusal =>
  new GroupRefusal("auth.forbidden", message, [403, "forbidden_op", "permission denied"]);
/** A member who is muted, or who may not write in a muted group. */
export const silenced = (): GroupRefusal =>
  new GroupRefusal("chat.muted", "您已被禁言", [403, "forbidden_op", "permission denied"]);
/** A person outside the group's company. A name without an account gets the same answer, because names can be guessed. */
export const foreigner = (userName: string): GroupRefusal =>
  new GroupRefusal(
    "chat.not-allowed",
    "对方不是本公司成员",
    [404, "resource_not_found", `user not found: ${userName}`],
    { members: `不能邀请 ${userName}` },
  );
export const full = (most: number): GroupRefusal =>
  new GroupRefusal("request.conflict", `群组最多 ${most} 人`, [
    403,
    "exceed_limit",
    "members size is greater than max user size !",
  ]);
export const conflict = (message: string, description: string): GroupRefusal =>
  new GroupRefusal("request.conflict", message, [400, "illegal_argument", description]);
