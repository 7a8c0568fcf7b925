/** Views of dynamic routes by the uri of their menu entry. A view that is not here gets an honest page that says so. */
import { lazy, type ComponentType, type LazyExoticComponent } from "react";

export interface ViewEntry {
  readonly view: LazyExoticComponent<ComponentType>;
  /** The page fills the area and scrolls inside itself. */
  readonly fixed?: boolean;
}

export const VIEWS: Readonly<Record<string, ViewEntry>> = {
  "im/people": { view: lazy(() => import("../features/people/PeoplePage.tsx")), fixed: true },
  "DataBatchImport/index": {
    view: lazy(() =>
      import("../features/import/pages.tsx").then((m) => ({ default: m.InvitingImport })),
    ),
  },
  "DataBatchImport2/index": {
    view: lazy(() =>
      import("../features/import/pages.tsx").then((m) => ({ default: m.PlainImport })),
    ),
  },
  "im/conference": {
    view: lazy(() => import("../features/conference/ConferencePage.tsx")),
    fixed: true,
  },
  "supplier/employees": {
    view: lazy(() => import("../features/employees/EmployeesPage.tsx")),
    fixed: true,
  },
  "monitor/runtime": { view: lazy(() => import("../features/runtime/RuntimePage.tsx")) },
};

export const Dashboard = lazy(() => import("../features/dashboard/DashboardPage.tsx"));
