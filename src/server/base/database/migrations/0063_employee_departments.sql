-- An employee whose department is known by its name alone belongs to the department of that name, if there is exactly one. The server
-- does the same for every employee who is written from now on.
UPDATE employees e SET department_id = d.id
FROM (
  SELECT company_id, name, min(id) AS id FROM departments GROUP BY company_id, name HAVING count(*) = 1
) AS d
WHERE e.company_id = d.company_id AND e.department_id IS NULL AND e.department = d.name;
