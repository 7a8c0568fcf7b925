/** The form of what a company says of itself. */
import {
  type CompanyProfile,
  companyProfileSchema,
  companyProfileUpdateCall,
} from "../../../shared/protocol/rest/company-profile.ts";
import type { ControlProps, FormField } from "../../components/form/fields.ts";
import { FormDialog } from "../../components/form/FormDialog.tsx";
import { StaleNote } from "../../components/form/StaleNote.tsx";
import { useVersions } from "../../components/form/stale.ts";
import { valuesOf } from "../../components/form/fields.ts";
import { ImageCards } from "../../components/upload/ImageCards.tsx";
import { PICTURE_RULES } from "../../components/upload/rules.ts";
import { useTexts } from "../../i18n/texts.ts";
import { useCore } from "../../state/services.ts";
import { tell } from "../../state/tell.ts";
import { COMPANY_TEXTS } from "./texts.ts";

const LOGO = { ...PICTURE_RULES, files: 1 };

const logoControl = ({ label, value, onChange }: ControlProps) => (
  <ImageCards
    label={label}
    rules={LOGO}
    value={value === "" ? [] : [value]}
    onChange={([name = ""]) => onChange(name)}
  />
);

const { creditCode, phone } = companyProfileUpdateCall.body.shape;

export default function CompanyDialog(props: {
  readonly profile: CompanyProfile;
  readonly onClose: () => void;
}) {
  const { profile } = props;
  const text = useTexts(COMPANY_TEXTS);
  const { rest } = useCore().commands;
  const fields: readonly FormField[] = [
    { key: "logo", label: text("logo"), control: logoControl },
    { key: "shortName", label: text("shortName"), max: 32 },
    {
      key: "creditCode",
      label: text("creditCode"),
      max: 18,
      hint: text("creditCodeRule"),
      check: (value) => (creditCode.safeParse(value).success ? null : text("creditCodeRule")),
    },
    { key: "legalPerson", label: text("legalPerson"), max: 32 },
    { key: "contact", label: text("contact"), max: 32 },
    {
      key: "phone",
      label: text("phone"),
      max: 20,
      check: (value) => (phone.safeParse(value).success ? null : text("phoneRule")),
    },
    { key: "address", label: text("address"), max: 200 },
    { key: "introduction", label: text("introduction"), input: "area", max: 500 },
  ];
  const versions = useVersions(profile, {
    fields,
    values: (record) => valuesOf(fields, record),
    parse: (theirs) => companyProfileSchema.parse(theirs),
    read: (key, value) => (key === "logo" && value !== "" ? text("changed") : value),
  });
  return (
    <FormDialog
      title={text("editTitle")}
      intro={<StaleNote changes={versions.changes} />}
      fields={fields}
      values={valuesOf(fields, profile)}
      save={(_values, changed) =>
        versions.save((version) =>
          rest.call({ call: "company.update", body: { ...changed, version } }),
        )
      }
      onClose={props.onClose}
      onSaved={() => tell("success", text("saved"))}
    />
  );
}
