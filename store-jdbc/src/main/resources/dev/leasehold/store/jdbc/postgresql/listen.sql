DO $$ BEGIN EXECUTE format('LISTEN %I', @{channel}); END $$
