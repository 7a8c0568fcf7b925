-- Which entries belong to which system (docs/session.md#systems): people, calls, conferences and the assistant to all of them,
-- employees not to the office automation, and administration to the two systems of administrators. An entry that names its
-- systems already stays as it is.

UPDATE menus
  SET element_properties = element_properties
    || '{"systems": ["sec-web-company-admin", "sec-web-property-admin", "sec-web-admin"]}'
  WHERE code = 'supplier' AND NOT element_properties ? 'systems';

UPDATE menus
  SET element_properties = element_properties
    || '{"systems": ["sec-web-company-admin", "sec-web-admin"]}'
  WHERE code IN ('system', 'monitor', 'tasks', 'monitor-applies') AND NOT element_properties ? 'systems';
