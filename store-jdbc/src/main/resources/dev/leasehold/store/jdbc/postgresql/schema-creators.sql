-- The roles that may create in the schema, except its owner and this connection's role; 0 stands
-- for PUBLIC.
SELECT DISTINCT CASE WHEN a.grantee = 0 THEN 'PUBLIC' ELSE quote_ident(pg_get_userbyid(a.grantee)) END
  FROM pg_namespace n
 CROSS JOIN LATERAL aclexplode(coalesce(n.nspacl, acldefault('n', n.nspowner))) a
 WHERE n.nspname = ? AND a.privilege_type = 'CREATE' AND a.grantee <> n.nspowner
   AND pg_get_userbyid(a.grantee) <> current_user
 ORDER BY 1
