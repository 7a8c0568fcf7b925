/** Corrects a refused application and sends it again. The form begins with what was sent before. */
import { useState } from "react";
import {
  CREDIT_CODE_TEXTS,
  creditCodeFault,
  normalCreditCode,
} from "../../../shared/domain/credit-code.ts";
import { AppError } from "../../../shared/errors.ts";
import { CREDIT_CODE_INPUT } from "../../../shared/protocol/rest/credit-code.ts";
import type { PageCallData } from "../../../shared/protocol/rest/page-calls.ts";
import { FormDialog } from "../../components/form/FormDialog.tsx";
import { errorText } from "../../i18n/index.ts";
import { useTexts } from "../../i18n/texts.ts";
import { useCore } from "../../state/services.ts";
import { showMessage } from "../../state/show-message.ts";
import type { SentLicence } from "./draft.ts";
import { LicenceField } from "./LicenceField.tsx";
import { refusedNames } from "./refused.ts";
import { REGISTER_TEXTS } from "./texts.ts";

type Apply = PageCallData<"registration.applies">["records"][number];

export default function ResubmitDialog(props: {
  readonly apply: Apply;
  readonly onClose: () => void;
}) {
  const { apply } = props;
  const text = useTexts(REGISTER_TEXTS);
  const faultText = useTexts(CREDIT_CODE_TEXTS);
  const { rest } = useCore().commands;
  const [licence, setLicence] = useState<SentLicence | null>(null);
  const [licenceError, setLicenceError] = useState<string | undefined>();
  const { supplierName, creditCode, contact } = apply;
  return (
    <FormDialog
      title={text("correctTitle")}
      okText={text("sendAgainApply")}
      intro={
        <>
          <p className="register-refusal">{text("refusedBecause", { reason: apply.reason })}</p>
          <LicenceField
            value={licence}
            has={apply.hasLicence}
            error={licenceError}
            onChange={(next) => {
              setLicenceError(undefined);
              setLicence(next);
            }}
          />
        </>
      }
      fields={[
        { key: "supplierName", label: text("company"), required: true, max: 100 },
        {
          key: "creditCode",
          label: text("creditCode"),
          max: CREDIT_CODE_INPUT,
          hint: text("creditCodeRule"),
          check: (value) => {
            const fault = creditCodeFault(normalCreditCode(value));
            return fault === null ? null : faultText(fault);
          },
        },
        { key: "contact", label: text("contact"), required: true, max: 32 },
      ]}
      values={{ supplierName, creditCode, contact }}
      save={async ({ supplierName: name = "", creditCode: code = "", contact: who = "" }) => {
        const sent = { supplierName: name, creditCode: code, contact: who };
        const body = { ...sent, ...(licence === null ? {} : { licence: licence.licence }) };
        try {
          await rest.call({ call: "registration.resubmit", params: { id: apply.id }, body });
        } catch (error) {
          const known = AppError.from(error);
          if (refusedNames(known).includes("licence")) {
            setLicence(null);
            setLicenceError(errorText(known));
          }
          throw error;
        }
      }}
      onClose={props.onClose}
      onSaved={() => showMessage("success", text("correctDone"))}
    />
  );
}
