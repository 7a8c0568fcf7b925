-- A credit code belongs to one company, whose application has it from the beginning (docs/session.md#credit-code). A refused application
-- sets it free again, so it is the profile's and no longer unique over all applications.
UPDATE company_profiles p SET credit_code = ''
  WHERE credit_code <> ''
    AND EXISTS (SELECT FROM supplier_applies a WHERE a.company_id = p.company_id AND a.status = 'refused');

-- Of several companies that wrote the same code into their profiles the earliest keeps it.
UPDATE company_profiles p SET credit_code = ''
  WHERE credit_code <> '' AND EXISTS (
    SELECT FROM company_profiles o WHERE o.credit_code = p.credit_code AND o.company_id < p.company_id);

CREATE UNIQUE INDEX company_profiles_credit_code ON company_profiles (credit_code) WHERE credit_code <> '';

DROP INDEX supplier_applies_credit_code;
