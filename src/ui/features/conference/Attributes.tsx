/** Attributes of the conference: all members see them, admins change them. */
import { Button, Input } from "@arco-design/web-react";
import { useState, type FormEvent } from "react";
import { useTranslation } from "react-i18next";
import { useSlice } from "../../state/services.ts";
import type { ConferenceActions } from "./useConference.ts";

export function Attributes(props: {
  readonly actions: ConferenceActions;
  readonly admin: boolean;
}) {
  const { t } = useTranslation();
  const { attrs } = useSlice("conference");
  const [key, setKey] = useState("");
  const [val, setVal] = useState("");
  const entries = Object.entries(attrs);
  if (!props.admin && entries.length === 0) return null;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (key.trim() === "") return;
    props.actions.setAttr(key.trim(), val);
    setKey("");
    setVal("");
  };
  return (
    <div className="confr-attrs">
      <h3>{t("conference.members.attrs")}</h3>
      {entries.length === 0 && <p className="confr-hint">{t("conference.members.noAttrs")}</p>}
      <dl>
        {entries.map(([name, value]) => (
          <div key={name} data-attr={name}>
            <dt className="ellipsis">{name}</dt>
            <dd>{value}</dd>
            {props.admin && (
              <Button
                size="mini"
                type="text"
                aria-label={`${t("conference.members.attrDelete")} ${name}`}
                onClick={() => props.actions.deleteAttr(name)}
              >
                {t("conference.members.attrDelete")}
              </Button>
            )}
          </div>
        ))}
      </dl>
      {props.admin && (
        <form onSubmit={submit}>
          <Input
            size="small"
            value={key}
            onChange={setKey}
            maxLength={64}
            placeholder={t("conference.members.attrKey")}
            aria-label={t("conference.members.attrKey")}
          />
          <Input
            size="small"
            value={val}
            onChange={setVal}
            maxLength={1000}
            placeholder={t("conference.members.attrVal")}
            aria-label={t("conference.members.attrVal")}
          />
          <Button size="small" htmlType="submit" disabled={key.trim() === ""}>
            {t("conference.members.attrSet")}
          </Button>
        </form>
      )}
    </div>
  );
}
