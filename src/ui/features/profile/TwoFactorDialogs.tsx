/** Turning the second factor on (password, picture and first code, recovery codes), renewing recovery codes, turning it off. */
import { Button } from "@arco-design/web-react";
import { useState } from "react";
import { Dialog } from "../../components/dialog/Dialog.tsx";
import { FormDialog } from "../../components/form/FormDialog.tsx";
import { QrCode } from "../../components/QrCode.tsx";
import { useFocusBack } from "../../components/useFocusBack.ts";
import { useTexts } from "../../i18n/texts.ts";
import { saveBlob } from "../../state/save.ts";
import { useCore } from "../../state/services.ts";
import { showMessage, showError } from "../../state/show-message.ts";
import { TWO_FACTOR_TEXTS } from "./two-factor-texts.ts";

const DIGITS = 6;
/** Longest recovery code, with what people type between its parts. */
const RECOVERY_MAX = 32;

export type TwoFactorTask = "begin" | "renew" | "end";

export function TwoFactorDialogs(props: {
  readonly task: TwoFactorTask;
  readonly onClose: () => void;
}) {
  const { task, onClose } = props;
  const text = useTexts(TWO_FACTOR_TEXTS);
  const { rest } = useCore().commands;
  const [begun, setBegun] = useState<{ readonly secret: string; readonly uri: string } | null>(
    null,
  );
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  useFocusBack(() => document.querySelector<HTMLElement>("#main"));
  if (codes !== null) return <RecoveryCodes codes={codes} onClose={onClose} />;
  if (begun !== null) {
    return (
      <FormDialog
        key="confirm"
        title={text("begin")}
        intro={
          <div className="profile-factor">
            <p>{text("scan")}</p>
            <QrCode text={begun.uri} label={text("picture")} />
            <p>
              {text("key")} <code translate="no">{begun.secret.match(/.{1,4}/g)?.join(" ")}</code>
            </p>
          </div>
        }
        okText={text("confirm")}
        fields={[{ key: "code", label: text("code"), required: true, max: DIGITS + 1 }]}
        values={{ code: "" }}
        save={async ({ code = "" }) => {
          const answer = await rest.call({ call: "twoFactor.confirm", body: { code } });
          setCodes(answer.recoveryCodes);
        }}
        onClose={onClose}
        keepOpen
      />
    );
  }
  if (task === "begin") {
    return (
      <FormDialog
        key="begin"
        title={text("begin")}
        okText={text("next")}
        fields={[{ key: "password", label: text("password"), input: "password", required: true }]}
        values={{ password: "" }}
        save={async ({ password = "" }) =>
          setBegun(await rest.call({ call: "twoFactor.begin", body: { password } }))
        }
        onClose={onClose}
        keepOpen
      />
    );
  }
  const field = {
    key: "code",
    label: text("codeOrRecovery"),
    hint: text("codeHint"),
    required: true,
    max: RECOVERY_MAX,
  };
  return task === "renew" ? (
    <FormDialog
      title={text("renew")}
      okText={text("renew")}
      fields={[field]}
      values={{ code: "" }}
      save={async ({ code = "" }) => {
        const answer = await rest.call({ call: "twoFactor.recovery", body: { code } });
        setCodes(answer.recoveryCodes);
      }}
      onClose={onClose}
      keepOpen
    />
  ) : (
    <FormDialog
      title={text("end")}
      okText={text("end")}
      fields={[field]}
      values={{ code: "" }}
      save={({ code = "" }) => rest.call({ call: "twoFactor.end", body: { code } })}
      onClose={onClose}
      onSaved={() => showMessage("success", text("ended"))}
    />
  );
}

function RecoveryCodes(props: { readonly codes: readonly string[]; readonly onClose: () => void }) {
  const text = useTexts(TWO_FACTOR_TEXTS);
  const all = `${props.codes.join("\n")}\n`;
  return (
    // Only the button closes it: a slip must not lose what is shown once.
    <Dialog
      visible
      title={text("recoveryTitle")}
      className="form-dialog"
      footer={null}
      closable={false}
      maskClosable={false}
      escToExit={false}
    >
      <div className="profile-factor">
        <p>{text("recoveryHint")}</p>
        <ul className="profile-codes" translate="no" aria-label={text("recoveryTitle")}>
          {props.codes.map((code) => (
            <li key={code}>
              <code>{code}</code>
            </li>
          ))}
        </ul>
        <div className="form-buttons">
          <Button
            onClick={() =>
              void navigator.clipboard
                .writeText(all)
                .then(() => showMessage("success", text("copied")), showError)
            }
          >
            {text("copy")}
          </Button>
          <Button onClick={() => saveBlob(new Blob([all], { type: "text/plain" }), text("file"))}>
            {text("download")}
          </Button>
          <Button type="primary" onClick={props.onClose}>
            {text("kept")}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
