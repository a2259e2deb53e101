SELECT 'main'
