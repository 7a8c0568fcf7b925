/** The definitions of a company's own fields, as its employees, imports and field settings read them. People edit them in ../own-fields. */
import { asc } from "drizzle-orm";
import { companyFields } from "../../base/database/schema/employees.ts";
import type { CompanyScope } from "../../base/database/tenant.ts";

export type FieldType = "text" | "number" | "date" | "dict";

export interface OwnField {
  readonly key: string;
  readonly label: string;
  readonly type: FieldType;
  readonly dictType: string | null;
  readonly required: boolean;
}

/** The company's own fields in their order. The type of a field is a text in the table, and one of `FieldType` by its constraint. */
export const ownFields = (scope: CompanyScope): Promise<OwnField[]> =>
  scope
    .select(
      {
        key: companyFields.key,
        label: companyFields.label,
        type: companyFields.type,
        dictType: companyFields.dictType,
        required: companyFields.required,
      },
      companyFields,
    )
    .orderBy(asc(companyFields.sort), asc(companyFields.id)) as unknown as Promise<OwnField[]>;
