/** Limits of the company's own fields of employees, apart from the calls, so that a page that needs one number loads no schemas. */

/** Most own fields of a company. */
export const OWN_FIELDS_MOST = 30;
