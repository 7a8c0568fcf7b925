/** The form of what a company says of itself. */
import {
  type CompanyProfile,
  companyProfileSchema,
  companyProfileUpdateCall,
} from "../../../shared/protocol/rest/company-profile.ts";
import {
  CREDIT_CODE_TEXTS,
  creditCodeFault,
  normalCreditCode,
} from "../../../shared/domain/credit-code.ts";
import { CREDIT_CODE_INPUT } from "../../../shared/protocol/rest/credit-code.ts";
import { formFields, valuesOf } from "../../components/form/fields.ts";
import { FormDialog } from "../../components/form/FormDialog.tsx";
import { versionsOf } from "../../components/form/versions.ts";
import { PICTURE_RULES } from "../../components/upload/rules.ts";
import { useTexts } from "../../i18n/texts.ts";
import { useFieldsInUse } from "../fields/useFieldsInUse.ts";
import { useCore } from "../../state/services.ts";
import { showMessage } from "../../state/show-message.ts";
import { COMPANY_TEXTS } from "./texts.ts";

const LOGO = { ...PICTURE_RULES, files: 1 };

const { phone } = companyProfileUpdateCall.body.shape;

export default function CompanyDialog(props: {
  readonly profile: CompanyProfile;
  readonly onClose: () => void;
}) {
  const { profile } = props;
  const text = useTexts(COMPANY_TEXTS);
  const faultText = useTexts(CREDIT_CODE_TEXTS);
  const { rest } = useCore().commands;
  const inUse = useFieldsInUse("company");
  const all = formFields([
    {
      key: "logo",
      label: text("logo"),
      input: "files",
      rules: LOGO,
      required: inUse.requires("logo"),
    },
    { key: "shortName", label: text("shortName"), max: 32, required: inUse.requires("shortName") },
    {
      key: "creditCode",
      label: text("creditCode"),
      max: CREDIT_CODE_INPUT,
      hint: text("creditCodeRule"),
      required: inUse.requires("creditCode"),
      check: (value) => {
        const fault = creditCodeFault(normalCreditCode(value));
        return fault === null ? null : faultText(fault);
      },
    },
    {
      key: "legalPerson",
      label: text("legalPerson"),
      max: 32,
      required: inUse.requires("legalPerson"),
    },
    { key: "contact", label: text("contact"), max: 32, required: inUse.requires("contact") },
    {
      key: "phone",
      label: text("phone"),
      max: 20,
      required: inUse.requires("phone"),
      check: (value) => (phone.safeParse(value).success ? null : text("phoneRule")),
    },
    { key: "address", label: text("address"), max: 200, required: inUse.requires("address") },
    {
      key: "introduction",
      label: text("introduction"),
      input: "area",
      max: 500,
      required: inUse.requires("introduction"),
    },
  ]);
  const fields = inUse.inOrder(all, ({ key }) => key);
  return (
    <FormDialog
      title={text("editTitle")}
      fields={fields}
      values={valuesOf(fields, profile)}
      versions={versionsOf(profile, {
        id: () => "company",
        parse: (theirs) => companyProfileSchema.parse(theirs),
      })}
      save={(_values, { logo, ...changed }, version) =>
        rest.call({
          call: "company.update",
          body: { ...changed, ...(logo === undefined ? {} : { logo: logo[0] ?? "" }), version },
        })
      }
      onClose={props.onClose}
      onSaved={() => showMessage("success", text("saved"))}
    />
  );
}
