/** Everything the company knows about an employee, and the account that is bound to the person. */
import { Button } from "@arco-design/web-react";
import { lazy, Suspense, useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { DictValue } from "../../components/DictValue.tsx";
import { Dialog } from "../../components/dialog/Dialog.tsx";
import type { PageCallData } from "../../../shared/protocol/rest/page-calls.ts";
import { PlainTabs } from "../../components/PlainTabs.tsx";
import { ScrollBox } from "../../components/ScrollBox.tsx";
import { useFocusBack } from "../../components/useFocusBack.ts";
import { currentLanguage, errorText } from "../../i18n/index.ts";
import { useTexts } from "../../i18n/texts.ts";
import { ask } from "../../state/ask.ts";
import { useMay } from "../../state/may.ts";
import { retrying } from "../../state/retrying.ts";
import { useCore } from "../../state/services.ts";
import { showMessage, showError } from "../../state/show-message.ts";
import { labelOf, useDicts } from "../../state/useDicts.ts";
import { BindDialog } from "./BindDialog.tsx";
import { employeeLines } from "./fields.ts";
import { dictsWith } from "../fields/own-fields.ts";
import { useFieldsInUse } from "../fields/useFieldsInUse.ts";
import { useOwnFields } from "./useOwnFields.ts";
import { HistoryPane } from "./HistoryPane.tsx";
import { RolesPane } from "./RolesPane.tsx";
import { DIALOG_TEXTS } from "./dialog-texts.ts";
import { LEAVE_TEXTS } from "./leave-texts.ts";
import { EMPLOYEE_TEXTS } from "./texts.ts";
import "./employees.css";

const DocumentsPane = lazy(() =>
  retrying(() => import("../documents/DocumentsPane.tsx")).then((m) => ({
    default: m.DocumentsPane,
  })),
);

/** Who may read the changes of the company. */
type Employee = PageCallData<"employees.get">;

export function EmployeeDialog(props: {
  readonly id: string;
  readonly onClose: () => void;
  readonly onChanged: () => void;
}) {
  const { id, onChanged } = props;
  const { t } = useTranslation();
  const text = useTexts(EMPLOYEE_TEXTS);
  const more = useTexts(DIALOG_TEXTS);
  const leave = useTexts(LEAVE_TEXTS);
  const may = useMay();
  const { rest } = useCore().commands;
  const own = useOwnFields();
  const inUse = useFieldsInUse("employee");
  const dicts = useDicts(dictsWith(own));
  const [employee, setEmployee] = useState<Employee | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const [binding, setBinding] = useState(false);
  useFocusBack(() => document.querySelector<HTMLElement>("#main"));
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    rest
      .call({ call: "employees.get", params: { id } })
      .then(setEmployee, (error: unknown) => setFailure(errorText(error)));
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- another attempt repeats the request
  }, [rest, id, attempt]);
  const retry = (): void => {
    setFailure(null);
    setAttempt((n) => n + 1);
  };

  const bind = async (accountId: string | null): Promise<void> => {
    if (employee === null) return;
    const body = { employeeId: id, accountId, version: employee.version };
    setEmployee(await rest.call({ call: "employees.bindAccount", body }));
    onChanged();
  };
  const bindTo = async (accountId: string): Promise<void> => {
    await bind(accountId);
    showMessage("success", more("bindDone"));
  };
  type Question = "unbind" | "resetFactor" | "releaseMobile" | "enable" | "disable";
  /** Asks by the texts of the question, and says that it is done; a failure is shown. */
  const askTo = (what: Question, { name }: Employee, work: () => Promise<unknown>): void =>
    ask({
      title: more(what),
      content: more(`${what}Ask`, { name }),
      okText: t("common.ok"),
      cancelText: t("common.cancel"),
      onOk: () => work().then(() => showMessage("success", more(`${what}Done`)), showError),
    });
  const askReset = (one: Employee): void =>
    askTo("resetFactor", one, () => rest.call({ call: "twoFactor.reset", params: { id } }));
  const askRelease = (one: Employee): void =>
    askTo("releaseMobile", one, () =>
      rest.call({ call: "employees.releaseMobile", params: { id } }),
    );
  const askState = (one: Employee): void => {
    const enabled = one.accountDisabled === true;
    askTo(enabled ? "enable" : "disable", one, () =>
      rest.call({ call: "employees.accountState", params: { id }, body: { enabled } }).then(retry),
    );
  };
  const hasAccount = employee?.dimissionDate === null && employee.accountId !== null;
  return (
    <Dialog
      visible
      title={more("detail")}
      className="form-dialog"
      footer={null}
      onCancel={props.onClose}
      unmountOnExit
    >
      {failure !== null && (
        <div role="alert" className="employee-failure">
          <p>{failure}</p>
          <Button onClick={retry}>{t("common.retry")}</Button>
        </div>
      )}
      {employee === null && failure === null && <p role="status">{t("common.loading")}</p>}
      {employee !== null && (
        <PlainTabs
          label={more("detail")}
          tabs={[
            {
              key: "facts",
              title: more("facts"),
              content: (
                <div className="employee-facts">
                  <ScrollBox className="employee-scroll">
                    <dl className="employee-lines">
                      {employeeLines(employee, {
                        language: currentLanguage(),
                        labelOf: (dict, value) => labelOf(dicts[dict], value),
                        own,
                        inUse,
                      }).map(({ key, label, value, dict }) => (
                        <div key={key}>
                          <dt>{label}</dt>
                          <dd>
                            {dict === null ? (
                              (value ?? "–")
                            ) : (
                              <DictValue entries={dicts[dict.type]} value={dict.value} />
                            )}
                          </dd>
                        </div>
                      ))}
                    </dl>
                  </ScrollBox>
                  <div className="employee-account">
                    <span>
                      {employee.accountId === null
                        ? more("unbound")
                        : more("bound", { name: employee.userName ?? employee.accountId })}
                    </span>
                    {may("employees.accountState") && hasAccount && (
                      <Button onClick={() => askState(employee)}>
                        {more(employee.accountDisabled === true ? "enable" : "disable")}
                      </Button>
                    )}
                    {may("employees.releaseMobile") && hasAccount && (
                      <Button onClick={() => askRelease(employee)}>{more("releaseMobile")}</Button>
                    )}
                    {may("twoFactor.reset") && employee.accountId !== null && (
                      <Button onClick={() => askReset(employee)}>{more("resetFactor")}</Button>
                    )}
                    {may("employees.update") && employee.dimissionDate === null && (
                      <Button
                        onClick={() =>
                          employee.accountId === null
                            ? setBinding(true)
                            : askTo("unbind", employee, () => bind(null))
                        }
                      >
                        {more(employee.accountId === null ? "bind" : "unbind")}
                      </Button>
                    )}
                  </div>
                </div>
              ),
            },
            ...(may("documents.list")
              ? [
                  {
                    key: "documents",
                    title: more("documents"),
                    content: (
                      <Suspense fallback={<p role="status">{t("common.loading")}</p>}>
                        <DocumentsPane employeeId={id} />
                      </Suspense>
                    ),
                  },
                ]
              : []),
            ...(may("roles.held") && hasAccount
              ? [
                  {
                    key: "roles",
                    title: more("roles"),
                    content: <RolesPane accountId={employee.accountId ?? ""} />,
                  },
                ]
              : []),
            ...(may("audit.list")
              ? [
                  {
                    key: "history",
                    title: more("history"),
                    content: (
                      <HistoryPane
                        id={id}
                        needs={{
                          language: currentLanguage(),
                          labelOf: (dict, value) => labelOf(dicts[dict], value),
                          own,
                          others: {
                            accountId: text("account"),
                            dimissionAt: leave("leaveDate"),
                            dimissionReason: leave("leaveReason"),
                          },
                        }}
                      />
                    ),
                  },
                ]
              : []),
          ]}
        />
      )}
      {binding && <BindDialog save={bindTo} onClose={() => setBinding(false)} />}
    </Dialog>
  );
}
