/** The state of an application, in words and colour. */
import type { ApplyStatus } from "../../../shared/protocol/rest/registration.ts";
import { DictTag } from "../../components/DictTag.tsx";
import { useTexts } from "../../i18n/texts.ts";
import { REGISTER_TEXTS } from "./texts.ts";

const KINDS: Readonly<Record<ApplyStatus, string>> = {
  pending: "warning",
  approved: "success",
  refused: "danger",
};

export function ApplyTag({ status }: { readonly status: ApplyStatus }) {
  const text = useTexts(REGISTER_TEXTS);
  return <DictTag label={text(status)} listClass={KINDS[status]} />;
}

const HINTS = {
  company: { pending: "pendingHint", approved: "approvedHint", refused: "refusedHint" },
  member: {
    pending: "memberPendingHint",
    approved: "memberApprovedHint",
    refused: "memberRefusedHint",
  },
} as const;

export interface ShownApply {
  /** Whether a company applied to the platform, or a person to a company. */
  readonly kind?: "company" | "member";
  readonly supplierName: string;
  readonly status: ApplyStatus;
  readonly reason: string;
}

/** @returns a sentence that says what became of the application */
export function useApplyHint(): (apply: ShownApply) => string {
  const text = useTexts(REGISTER_TEXTS);
  return ({ kind = "company", supplierName: company, status, reason }) =>
    text(HINTS[kind][status], { company, reason });
}
