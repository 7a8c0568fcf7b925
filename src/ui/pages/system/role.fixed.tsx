/** Roles of the company: what they are called, what they show and allow, and who has them. */
import { lazy, useState } from "react";
import type { RoleRow } from "../../../shared/protocol/rest/roles.ts";
import { ListPage } from "../../components/ListPage.tsx";
import { LIST_TEXTS } from "../../components/list/texts.ts";
import { ROLE_TEXTS } from "../../features/roles/texts.ts";
import { useTexts } from "../../i18n/texts.ts";
import { retrying } from "../../state/retrying.ts";
import { useCore } from "../../state/services.ts";
import { Part } from "../../components/Part.tsx";
import "../../features/roles/roles.css";

const RoleDialog = lazy(() =>
  retrying(() => import("../../features/roles/RoleDialog.tsx")).then((m) => ({
    default: m.RoleDialog,
  })),
);
const RightsDialog = lazy(() =>
  retrying(() => import("../../features/roles/RightsDialog.tsx")).then((m) => ({
    default: m.RightsDialog,
  })),
);
const PeopleDialog = lazy(() =>
  retrying(() => import("../../features/roles/PeopleDialog.tsx")).then((m) => ({
    default: m.PeopleDialog,
  })),
);

type Open =
  | { readonly dialog: "edit"; readonly role: RoleRow | null }
  | { readonly dialog: "rights" | "people" | "copy"; readonly role: RoleRow };

export default function RolePage() {
  const text = useTexts(ROLE_TEXTS);
  const common = useTexts(LIST_TEXTS);
  const { rest } = useCore().commands;
  const [open, setOpen] = useState<Open | null>(null);
  const close = (): void => setOpen(null);
  return (
    <>
      <ListPage
        call="roles.list"
        title={text("title")}
        total={(count) => text("total", { count })}
        search={text("search")}
        failed={text("failed")}
        empty={text("empty")}
        nameOf={({ name }) => name}
        columns={[
          {
            title: text("name"),
            sort: "name",
            render: ({ name, builtIn }) => (
              <>
                {name}
                {builtIn && <span className="role-tag">{text("builtIn")}</span>}
              </>
            ),
            width: "minmax(160px, 1fr)",
          },
          {
            title: text("people"),
            sort: "people",
            render: (role) => (
              <button
                type="button"
                className="list-page-link tnum"
                aria-label={text("peopleOf", { name: role.name })}
                onClick={() => setOpen({ dialog: "people", role })}
              >
                {text("peopleCount", { count: role.people })}
              </button>
            ),
            width: "minmax(88px, 0.5fr)",
          },
          {
            key: "remark",
            title: text("remark"),
            render: ({ remark }) => (remark === "" ? null : remark),
            width: "minmax(160px, 2fr)",
          },
        ]}
        create={{ call: "roles.create", onClick: () => setOpen({ dialog: "edit", role: null }) }}
        rowActions={[
          {
            label: common("edit"),
            call: "roles.update",
            onClick: (role) => setOpen({ dialog: "edit", role }),
          },
          {
            label: text("rights"),
            call: "roles.update",
            onClick: (role) => setOpen({ dialog: "rights", role }),
          },
          {
            label: text("copy"),
            call: "roles.create",
            onClick: (role) => setOpen({ dialog: "copy", role }),
          },
        ]}
        remove={{
          call: "roles.delete",
          many: "each",
          when: ({ builtIn }) => !builtIn,
          run: (rows) =>
            Promise.all(rows.map(({ id }) => rest.call({ call: "roles.delete", params: { id } }))),
        }}
      />
      <Part onFailed={close}>
        {open?.dialog === "edit" && <RoleDialog role={open.role} from={null} onClose={close} />}
        {open?.dialog === "copy" && <RoleDialog role={null} from={open.role} onClose={close} />}
        {open?.dialog === "rights" && <RightsDialog role={open.role} onClose={close} />}
        {open?.dialog === "people" && <PeopleDialog role={open.role} onClose={close} />}
      </Part>
    </>
  );
}
