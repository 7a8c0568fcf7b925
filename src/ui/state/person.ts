/** The displayed name: the employee's if one with an id is set, else the user's. */
export function displayName(session: {
  readonly employee: { readonly id: string; readonly name: string } | null;
  readonly name: string;
  readonly nickname: string;
  readonly username: string | null;
}): string {
  const { employee } = session;
  if (employee !== null && employee.id !== "" && employee.name !== "") return employee.name;
  return session.name || session.nickname || session.username || "";
}
