/** Which fields the company uses, in which order, and which are required (docs/server.md#field-settings). */
import { Button } from "@arco-design/web-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { BUILT_IN_FIELDS, defaultSettings } from "../../../shared/domain/field-settings.ts";
import {
  type FieldSetting,
  type FieldSubject,
  isOwnSetting,
  ownSettingKey,
} from "../../../shared/domain/fields-in-use.ts";
import { OWN_FIELDS_MOST } from "../../../shared/domain/own-fields.ts";
import { staleVersions } from "../../../shared/protocol/rest/conflict.ts";
import { LIST_TEXTS } from "../../components/list/texts.ts";
import { useMoving } from "../../components/list/useMoving.ts";
import { ReadNote } from "../../components/ReadNote.tsx";
import { Allowed } from "../../components/taken/Allowed.tsx";
import { currentLanguage } from "../../i18n/index.ts";
import { useTexts } from "../../i18n/texts.ts";
import { ask } from "../../state/ask.ts";
import { useMay } from "../../state/may.ts";
import { useCore } from "../../state/services.ts";
import { showError, showMessage } from "../../state/show-message.ts";
import { useRead } from "../../state/useRead.ts";
import type { OwnField } from "./own-fields.ts";
import { type Draft, drafted, isChanged, UNCHANGED, withFlag, withMove } from "./draft.ts";
import { FieldRow, type FieldWords } from "./FieldRow.tsx";
import { OwnFieldDialog } from "./OwnFieldDialog.tsx";
import { FIELD_SETTING_TEXTS } from "./texts.ts";
import { useLeaveQuestion } from "./useLeaveQuestion.ts";
import "../../components/list-page.css";
import "./field-settings.css";

/** Dictionaries that a new own field may choose from. */
const MANY = 200;
const NO_OWN: readonly OwnField[] = [];
const NO_FIELDS: readonly FieldSetting[] = [];

export function FieldSettingsPage({ subject }: { readonly subject: FieldSubject }) {
  const text = useTexts(FIELD_SETTING_TEXTS);
  return (
    <Allowed call="fieldSettings.get" title={text(subject)}>
      <Settings subject={subject} />
    </Allowed>
  );
}

function Settings({ subject }: { readonly subject: FieldSubject }) {
  const { t } = useTranslation();
  const text = useTexts(FIELD_SETTING_TEXTS);
  const common = useTexts(LIST_TEXTS);
  const may = useMay();
  const { rest } = useCore().commands;
  const hasOwn = subject === "employee";
  const { answer, again } = useRead({ call: "fieldSettings.get", params: { subject } });
  const ownRead = useRead(
    hasOwn ? { call: "ownFields.list", query: { limit: OWN_FIELDS_MOST } } : null,
  ).answer;
  const dictRead = useRead(hasOwn ? { call: "dict.types", query: { limit: MANY } } : null).answer;
  // An own field without its record has no name.
  const isNamed = !hasOwn || ownRead.state === "ready";
  const live = answer.state === "ready" && isNamed ? answer.data : null;
  const own = ownRead.state === "ready" ? ownRead.data.records : NO_OWN;
  const dicts =
    dictRead.state === "ready"
      ? dictRead.data.records.map(({ dictType, dictName }) => ({
          value: dictType,
          label: `${dictName}（${dictType}）`,
        }))
      : [];

  const [edited, setEdited] = useState<Draft>(UNCHANGED);
  /** The version of which the edit began. */
  const [base, setBase] = useState(0);
  /** The version that contains the edit, once it is saved. */
  const [savedAs, setSavedAs] = useState<number | null>(null);
  const [busy, setBusy] = useState(false);
  const [said, setSaid] = useState("");
  const [dialog, setDialog] = useState<{ readonly field: OwnField | null } | null>(null);
  const isIn = savedAs !== null && live !== null && live.version >= savedAs;
  const draft = isIn ? UNCHANGED : edited;
  const saved = live?.fields ?? NO_FIELDS;
  const shown = drafted(saved, draft);
  const dirty = isChanged(saved, shown);
  const isWaiting = busy || (savedAs !== null && !isIn);

  const edit = (next: Draft): void => {
    if (!dirty) setBase(live?.version ?? 0);
    // What was taken back is no wish that changes of others would have to respect.
    setEdited(isChanged(saved, drafted(saved, next)) ? next : UNCHANGED);
    setSavedAs(null);
  };
  useLeaveQuestion(dirty);

  const builtIn = new Map(BUILT_IN_FIELDS[subject].map((field) => [field.key, field]));
  const side = currentLanguage() === "zh" ? 0 : 1;
  const ownOf = (key: string): OwnField | undefined =>
    own.find((field) => ownSettingKey(field.key) === key);
  const wordsOf = (key: string): FieldWords => {
    const field = builtIn.get(key);
    if (field !== undefined) {
      return {
        label: field.words[side],
        kind: text("builtIn"),
        usedAlways: field.usedAlways?.[side] ?? null,
        requiredFixed: field.requiredFixed?.[side] ?? null,
      };
    }
    const ownField = ownOf(key);
    const dict =
      dicts.find(({ value }) => value === ownField?.dictType)?.label ?? ownField?.dictType;
    const type = ownField === undefined ? "" : text(ownField.type);
    return {
      label: ownField?.label ?? "",
      kind: text("own", { type: dict === undefined || dict === null ? type : `${type} ${dict}` }),
      usedAlways: null,
      requiredFixed: null,
    };
  };

  const moveTo = (key: string, place: number): void => {
    const next = withMove(draft, shown, key, place);
    const at = next.order?.indexOf(key) ?? 0;
    if (shown[at]?.key === key) return;
    edit(next);
    setSaid(text("moved", { label: wordsOf(key).label, place: at + 1, count: shown.length }));
  };
  const {
    list,
    dragged,
    step: move,
    ...moving
  } = useMoving<HTMLDivElement>(
    shown.map(({ key }) => key),
    moveTo,
    "used",
  );

  const save = async (fields: readonly FieldSetting[]): Promise<void> => {
    if (live === null || isWaiting) return;
    setBusy(true);
    try {
      const { version } = await rest.call({
        call: "fieldSettings.save",
        params: { subject },
        body: { version: live.version, fields: [...fields] },
      });
      setSavedAs(version);
      showMessage("success", text("saved"));
    } catch (error) {
      if (staleVersions(error) === null) showError(error);
      else {
        showMessage("warning", text("stale"));
        again();
      }
    } finally {
      setBusy(false);
    }
  };
  const askReset = (): void =>
    ask({
      title: text("reset"),
      content: text("resetAsk"),
      okText: t("common.ok"),
      cancelText: t("common.cancel"),
      onOk: () => save(defaultSettings(subject, own)),
    });
  const askRemove = ({ id, label }: OwnField): void =>
    ask({
      title: t("common.hint"),
      content: text("removeAsk", { label }),
      okText: t("common.ok"),
      cancelText: t("common.cancel"),
      onOk: () =>
        rest
          .call({ call: "ownFields.delete", params: { id } })
          .then(() => showMessage("success", text("removed")), showError),
    });

  const mayEdit = may("fieldSettings.save");
  const used = shown.filter((field) => field.used).length;
  return (
    <section className="panel field-settings">
      <header>
        <h1>{text(subject)}</h1>
        <span className="field-settings-count">
          {live !== null && text("count", { count: shown.length, used })}
        </span>
        {hasOwn && may("ownFields.create") && (
          <Button data-call="ownFields.create" onClick={() => setDialog({ field: null })}>
            {common("create")}
          </Button>
        )}
        {mayEdit && (
          <>
            <Button
              data-call="fieldSettings.save"
              disabled={live === null || isWaiting}
              onClick={askReset}
            >
              {text("reset")}
            </Button>
            <Button
              type="primary"
              data-call="fieldSettings.save"
              disabled={!dirty || isWaiting}
              loading={isWaiting}
              onClick={() => void save(shown)}
            >
              {text("save")}
            </Button>
          </>
        )}
      </header>
      <p className="field-settings-hint">{text("hint")}</p>
      <p className="field-settings-note" role="status">
        {dirty && !isWaiting && (
          <strong>{text(base === live?.version ? "unsaved" : "changed")}</strong>
        )}
        <span>{said}</span>
      </p>
      {live !== null ? (
        <div role="table" aria-label={text(subject)} className="field-settings-table">
          <div role="rowgroup">
            <div role="row" className="field-settings-row field-settings-head">
              {(["field", "used", "required", "actions"] as const).map((key) => (
                <span key={key} role="columnheader">
                  {text(key)}
                </span>
              ))}
            </div>
          </div>
          <div role="rowgroup" ref={list}>
            {shown.map((setting, place) => {
              const { key } = setting;
              const ownField = isOwnSetting(setting) ? ownOf(key) : undefined;
              return (
                <FieldRow
                  key={key}
                  setting={setting}
                  words={wordsOf(key)}
                  locked={!mayEdit || isWaiting}
                  isFirst={place === 0}
                  isLast={place === shown.length - 1}
                  isDragged={dragged === key}
                  onSet={(flag) => edit(withFlag(draft, key, flag))}
                  onStep={(step, part) => move(key, step, part)}
                  onKeyDown={(event) => {
                    if (mayEdit && !isWaiting) moving.onKeyDown(key, event);
                  }}
                  onHandleDown={(event) => moving.onHandleDown(key, event)}
                  onEdit={
                    ownField !== undefined && may("ownFields.update")
                      ? () => setDialog({ field: ownField })
                      : null
                  }
                  onRemove={
                    ownField !== undefined && may("ownFields.delete")
                      ? () => askRemove(ownField)
                      : null
                  }
                />
              );
            })}
          </div>
        </div>
      ) : (
        <ReadNote
          className="list-page-none"
          // names and settings come apart, and one alone shows nothing
          answer={answer.state === "ready" ? ownRead : answer}
          failed={text("failed")}
          onRetry={again}
        />
      )}
      {dialog !== null && (
        <OwnFieldDialog
          field={dialog.field}
          own={own}
          dicts={dicts}
          onClose={() => setDialog(null)}
        />
      )}
    </section>
  );
}
