/**
 * Queries that GAM builds or documents, as they reach the interface: github.com/GAM-team/GAM at
 * e54877b3e81e4b33829f6784e87ad18888ac3b48 (2026-08-20), collected 2026-11-26. `src` is where it was read. Times that GAM puts in for
 * `#querytime...#` are dates. Facts only.
 */
export const GAM_QUERIES = {
  'directory.users.list': [
    // src/gam/gamlib/glclargs.py, ALL_USERS_QUERY_MAP and DOMAINS_QUERY_MAP
    'isSuspended=False isGuest=False',
    'isArchived=False isGuest=False',
    'isArchived=True isGuest=False',
    'isSuspended=True isGuest=False',
    'isArchived=False isSuspended=False isGuest=False',
    'isGuest=False',
    'isSuspended=False',
    'isSuspended=True',
    'isSuspended=False isGuest=True',
    'isSuspended=True isGuest=True',
    'isGuest=True',
    'isArchived=False',
    'isArchived=True',
    'isArchived=False isSuspended=False',
    // src/gam/__init__.py:1623, orgUnitPathQuery
    "orgUnitPath='/Students/Middle School'",
    "orgUnitPath='/Dave\\'s' isSuspended=False",
    "orgUnitPath='/Students' isSuspended=True isArchived=False",
    // src/gam/__init__.py:19547, userFilters
    "email:admin* orgUnitPath='/Students'",
    // wiki/Users.md, wiki/Collections-of-Users.md, wiki/Groups-Membership.md
    'orgUnitPath=/Test',
    "orgName='Sales Org' orgTitle=Manager",
    "orgName='Marketing Org'",
    'orgTitle=Specialist',
    "orgDescription='TEACHER'",
    'email:admin*',
    'email:test*',
  ],
  'directory.groups.list': [
    // src/gam/__init__.py:36270 and 71810
    'memberKey=ann@example.com',
    'memberKey=C00000001',
    // wiki/Groups.md
    'name:test*',
    'email:sales*',
  ],
  'directory.chromeosdevices.list': [
    // src/gam/__init__.py:6803 (cros_sn)
    'id:12345abcdefg',
    // wiki/ChromeOS-Devices.md, "CrOS Query Searchable Fields" and "Undocumented API query terms"
    'status:provisioned',
    'status:disabled',
    'status:deprovisioned',
    'user:joe',
    "user:'tom sawyer'",
    'location:seattle',
    'location:Chrome lab 5',
    "note:'loaned from john'",
    'register:2020-04-15',
    'sync:2020-04-15',
    'sync:..2020-01-01',
    'sync:2020-01-01..',
    'sync:2020-01-01..2020-02-01 status:provisioned',
    'asset_id:1234',
    'wifi_mac:6c2995724c50',
    'ethernet_mac:e8ea6a157981',
    'aue:2030-01-01..',
    'compliance:compliant',
    'compliance:pending_update',
    'compliance:not_compliant',
    'last_user_activity:..2020-01-01',
    'policy_status:true',
    'policy_status:false',
    'public_model_name:Acer',
    'update_status:default_os_up_to_date',
    'update_status:pending_update',
    'update_status:os_image_download_not_started',
    'update_status:os_image_download_in_progress',
    'update_status:os_update_need_reboot',
  ],
  'directory.mobiledevices.list': [
    // wiki/Mobile-Devices.md
    'model:Mac',
    'model:iPhone 6',
    'model:samsung',
    'manufacturer:Meizu os:Android 7.0.0',
    'sync:..2020-01-01',
    'email:jsmith@acme.org',
  ],
} as const;
