/** Employees of the company in one list that scrolls through all of them. */
import { Button, Input } from "@arco-design/web-react";
import { IconImport, IconRefresh, IconSearch } from "@arco-design/web-react/icon";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useNavigate } from "react-router-dom";
import { Avatar } from "../../components/Avatar.tsx";
import { useVirtualRows } from "../../components/useVirtualRows.ts";
import { useSlice } from "../../state/services.ts";
import { useEmployees } from "./useEmployees.ts";
import "./employees.css";

const ROW_HEIGHT = 44;

export default function EmployeesPage() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const [keyword, setKeyword] = useState("");
  const [refresh, setRefresh] = useState(0);
  const { byKey } = useSlice("imports");
  const { permissions } = useSlice("session");
  const finished = Object.values(byKey).filter((job) => job.state === "done").length;
  const rows = useEmployees(keyword, refresh + finished);
  const { box, height, items } = useVirtualRows(rows.total, ROW_HEIGHT, rows.need);
  const mayImport = ["*:*:*", "supplier:employee:edit"].some((one) => permissions.includes(one));
  return (
    <div className="panel employees">
      <header>
        <h1>{t("employees.title")}</h1>
        <span className="employees-total tnum" data-testid="employees-total">
          {t("employees.total", { count: rows.total })}
        </span>
        <Input
          className="employees-search"
          allowClear
          prefix={<IconSearch aria-hidden="true" />}
          placeholder={t("employees.search")}
          aria-label={t("employees.search")}
          value={keyword}
          onChange={setKeyword}
        />
        <Button
          icon={<IconRefresh />}
          aria-label={t("employees.refresh")}
          onClick={() => setRefresh((n) => n + 1)}
        />
        {mayImport && (
          <Button
            type="primary"
            icon={<IconImport />}
            onClick={() => void navigate("/DataBatchImport2/index")}
          >
            {t("imports.title")}
          </Button>
        )}
      </header>
      {rows.state === "failed" && (
        <div className="employees-none" role="alert">
          <p>{t("employees.failed")}</p>
          <Button onClick={rows.retry}>{t("common.retry")}</Button>
        </div>
      )}
      {rows.state === "loading" && (
        <div className="employees-none" role="status">
          {t("common.loading")}
        </div>
      )}
      {rows.state === "ready" && rows.total === 0 && (
        <div className="employees-none">{t("common.none")}</div>
      )}
      <div
        ref={box}
        className="employees-list"
        role="table"
        tabIndex={0}
        aria-label={t("employees.title")}
        aria-rowcount={rows.total + 1}
        hidden={rows.state !== "ready" || rows.total === 0}
      >
        <div style={{ height: height, position: "relative" }}>
          <div role="row" className="employees-row employees-head" aria-rowindex={1}>
            <span role="columnheader">{t("employees.name")}</span>
            <span role="columnheader">{t("employees.phone")}</span>
            <span role="columnheader">{t("employees.department")}</span>
            <span role="columnheader">{t("employees.position")}</span>
            <span role="columnheader">{t("employees.account")}</span>
          </div>
          {items.map((item) => {
            const row = rows.row(item.index);
            return (
              <div
                key={item.key}
                role="row"
                aria-rowindex={item.index + 2}
                className="employees-row"
                style={{ transform: `translateY(${item.start}px)` }}
              >
                <span role="cell" className="employees-name">
                  {row !== undefined && (
                    <>
                      <Avatar name={row.name} src="" size={28} />
                      <span className="ellipsis">{row.name}</span>
                    </>
                  )}
                </span>
                <span role="cell" className="tnum ellipsis">
                  {row === undefined ? "…" : (row.phone ?? "–")}
                </span>
                <span role="cell" className="ellipsis">
                  {row?.department ?? "–"}
                </span>
                <span role="cell" className="ellipsis">
                  {row?.position ?? "–"}
                </span>
                <span role="cell" className="ellipsis">
                  {row?.userName ?? "–"}
                </span>
              </div>
            );
          })}
        </div>
      </div>
    </div>
  );
}
