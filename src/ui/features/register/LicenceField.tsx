/** The picture of the business licence in the registration: a guest's upload of one file (docs/session.md#licence-picture). */
import { Button } from "@arco-design/web-react";
import { useEffect, useRef } from "react";
import { LICENCE_LIMITS } from "../../../shared/protocol/rest/licences.ts";
import { FileChooser } from "../../components/upload/FileChooser.tsx";
import { useUpload } from "../../components/upload/useUpload.ts";
import { useTexts } from "../../i18n/texts.ts";
import { useCore } from "../../state/services.ts";
import { type SentLicence, sentLicence } from "./draft.ts";
import { REGISTER_TEXTS } from "./texts.ts";

const { types, files, megabytes } = LICENCE_LIMITS;
const RULES = { types, files, megabytes, pictures: false };

export function LicenceField(props: {
  readonly value: SentLicence | null;
  readonly onChange: (value: SentLicence | null) => void;
  /** Why the server did not take it. */
  readonly error?: string | undefined;
  /** The application has one already, which stays unless another is sent. */
  readonly has?: boolean;
}) {
  const { value, onChange, error, has = false } = props;
  const text = useTexts(REGISTER_TEXTS);
  const core = useCore();
  const chooser = useRef<HTMLInputElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (error !== undefined) button.current?.focus();
  }, [error]);
  const { busy, add } = useUpload(
    {
      label: text("licence"),
      value: [],
      rules: RULES,
      // `upload` reports the sent file, because it has a name and an end as well
      onChange: () => undefined,
      async upload(file) {
        const { licence } = await core.commands.files.sendLicence({ file, name: file.name });
        onChange(sentLicence(licence, file.name, Date.now()));
        return licence;
      },
    },
    () => button.current?.focus(),
  );
  return (
    <div className="register-licence" role="group" aria-label={text("licence")} aria-busy={busy}>
      <span className="register-licence-label" aria-hidden="true">
        {text("licence")}
      </span>
      <div className="register-licence-row">
        {value !== null && <span className="ellipsis">{value.name}</span>}
        <Button
          ref={button}
          loading={busy}
          aria-describedby="register-licence-note"
          onClick={() => chooser.current?.click()}
        >
          {text(busy ? "licenceSending" : value === null && !has ? "licenceAdd" : "licenceOther")}
        </Button>
        {value !== null && (
          <Button disabled={busy} onClick={() => onChange(null)}>
            {text("licenceRemove")}
          </Button>
        )}
      </div>
      <p id="register-licence-note" className="register-note" data-wrong={error !== undefined}>
        {error ?? text(has && value === null ? "licenceStays" : "licenceRule")}
      </p>
      <FileChooser input={chooser} rules={RULES} onFiles={(chosen) => void add(chosen)} />
    </div>
  );
}
