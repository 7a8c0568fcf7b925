-- English titles of entries that read badly. A title that somebody has changed stays.
UPDATE menus SET element_properties = jsonb_set(element_properties, '{titles,en}', '"Onboarding documents"')
  WHERE code = 'document-kinds' AND element_properties #>> '{titles,en}' = 'Inaugural documents';
