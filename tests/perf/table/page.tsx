/** The peer of the employee list: Arco's own virtual table with the same columns, and all rows in memory. */
import "@arco-design/web-react/es/_util/react-19-adapter";
import { Button, Table } from "@arco-design/web-react";
import "@arco-design/web-react/dist/css/arco.css";
import { createRoot } from "react-dom/client";

const ROWS = 100_000;
const HEIGHT = 640;

const data = Array.from({ length: ROWS }, (_, i) => ({
  key: String(i),
  name: `员工${i}`,
  phone: `138${String(i).padStart(8, "0")}`,
  department: `部门${i % 40}`,
  position: `岗位${i % 25}`,
  account: i % 3 === 0 ? `user${i}` : "–",
}));
const actions = () =>
  ["编辑", "离职", "删除"].map((label) => (
    <Button key={label} type="text" size="small">
      {label}
    </Button>
  ));
const columns = [
  { title: "姓名", dataIndex: "name", width: 200 },
  { title: "电话", dataIndex: "phone", width: 160 },
  { title: "部门", dataIndex: "department", width: 160 },
  { title: "岗位", dataIndex: "position", width: 160 },
  { title: "账号", dataIndex: "account", width: 160 },
  { title: "操作", width: 240, render: actions },
];

const root = document.querySelector("#root");
if (root !== null) {
  createRoot(root).render(
    <Table
      virtualized
      pagination={false}
      scroll={{ y: HEIGHT }}
      columns={columns}
      data={data}
      border={false}
    />,
  );
}
