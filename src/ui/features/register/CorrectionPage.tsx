/**
 * Corrects a refused application and sends it again. The form begins with what was sent before. It is no dialog of the console, which is
 * not loaded outside of the frame.
 */
import { Button } from "@arco-design/web-react";
import { useState } from "react";
import type { PageCallData } from "../../../shared/protocol/rest/page-calls.ts";
import { AppError } from "../../../shared/errors.ts";
import { errorText } from "../../i18n/index.ts";
import { useTexts } from "../../i18n/texts.ts";
import { useCore } from "../../state/services.ts";
import { showMessage } from "../../state/show-message.ts";
import { CodeForm } from "./CodeForm.tsx";
import type { SentLicence } from "./draft.ts";
import { CORRECTION_FIELDS, EMPTY } from "./fields.ts";
import { LicenceField } from "./LicenceField.tsx";
import { refusedNames } from "./refused.ts";
import { REGISTER_TEXTS } from "./texts.ts";

type Apply = PageCallData<"registration.applies">["records"][number];

export function CorrectionPage(props: { readonly apply: Apply; readonly onClose: () => void }) {
  const { apply, onClose } = props;
  const text = useTexts(REGISTER_TEXTS);
  const { rest } = useCore().commands;
  const { supplierName, creditCode, contact } = apply;
  const [values, setValues] = useState({ ...EMPTY, supplierName, creditCode, contact });
  const [licence, setLicence] = useState<SentLicence | null>(null);
  const [licenceError, setLicenceError] = useState<AppError>();
  return (
    <CodeForm
      title={text("correctTitle")}
      subtitle={text("refusedBecause", { reason: apply.reason })}
      fields={CORRECTION_FIELDS}
      submitText={text("sendAgainApply")}
      loginText={text("toLogin")}
      values={values}
      onChange={setValues}
      focus
      back={
        <Button size="large" onClick={onClose}>
          {text("correctCancel")}
        </Button>
      }
      save={async (given) => {
        const body = {
          supplierName: given.supplierName.trim(),
          creditCode: given.creditCode,
          contact: given.contact.trim(),
          ...(licence === null ? {} : { licence: licence.licence }),
        };
        try {
          await rest.call({ call: "registration.resubmit", params: { id: apply.id }, body });
        } catch (error) {
          const known = AppError.from(error);
          if (refusedNames(known).includes("licence")) {
            setLicence(null);
            setLicenceError(known);
          }
          throw error;
        }
        showMessage("success", text("correctDone"));
        onClose();
      }}
    >
      <LicenceField
        value={licence}
        has={apply.hasLicence}
        error={licenceError && errorText(licenceError)}
        onChange={(next) => {
          setLicenceError(undefined);
          setLicence(next);
        }}
      />
    </CodeForm>
  );
}
