/** What a field of a device query looks at, and how. */
export type QueryField = {
  /** Members of the device, `list.member` for those of entries; several mean any of them. */
  of: readonly string[];
  /** `text`: has it, in any case; `a*`: begins with it. `time`: a date, a time or a range of them. `word`: is one of the values behind it. */
  how: 'text' | 'time' | 'word';
  /** `word`: what each word of the query means; `NOT_THERE` is a device without the member. */
  words?: Readonly<Record<string, readonly string[]>>;
};
export type QueryFields = Readonly<Record<string, QueryField>>;

/** What a word means that finds devices which say nothing. */
export const NOT_THERE = '';

/**
 * The vendor's "List query operators" (developers.google.com/workspace/admin/directory/v1/list-query-operators, read
 * 2026-11-26), and what GAM's documentation adds (commit e54877b3: `aue`, `ethernet_mac`, `wifi_mac`).
 */
export const CHROME_QUERY_FIELDS: QueryFields = {
  id: { of: ['serialNumber'], how: 'text' },
  asset_id: { of: ['annotatedAssetId'], how: 'text' },
  user: { of: ['annotatedUser'], how: 'text' },
  location: { of: ['annotatedLocation'], how: 'text' },
  note: { of: ['notes'], how: 'text' },
  public_model_name: { of: ['model'], how: 'text' },
  model: { of: ['model'], how: 'text' },
  meid: { of: ['meid'], how: 'text' },
  wifi_mac: { of: ['macAddress'], how: 'text' },
  ethernet_mac: { of: ['ethernetMacAddress', 'ethernetMacAddress0'], how: 'text' },
  chrome_version: { of: ['osVersion'], how: 'text' },
  register: { of: ['lastEnrollmentTime'], how: 'time' },
  sync: { of: ['lastSync'], how: 'time' },
  aue: { of: ['autoUpdateThrough', 'autoUpdateExpiration'], how: 'time' },
  last_user_activity: { of: ['activeTimeRanges.date'], how: 'time' },
  status: {
    of: ['status'],
    how: 'word',
    words: {
      provisioned: ['ACTIVE'],
      managed: ['ACTIVE', 'DISABLED', 'INACTIVE'],
      disabled: ['DISABLED'],
      deprovisioned: ['DEPROVISIONED'],
    },
  },
  compliance: {
    of: ['osVersionCompliance'],
    how: 'word',
    words: { compliant: ['compliant'], pending_update: ['pending'], not_compliant: ['notCompliant'] },
  },
  update_status: {
    of: ['osUpdateStatus.state'],
    how: 'word',
    words: {
      default_os_up_to_date: [NOT_THERE, 'updateStateUnspecified'],
      pending_update: ['updateStateNotStarted', 'updateStateDownloadInProgress', 'updateStateNeedReboot'],
      os_image_download_not_started: ['updateStateNotStarted'],
      os_image_download_in_progress: ['updateStateDownloadInProgress'],
      os_update_need_reboot: ['updateStateNeedReboot'],
    },
  },
  // No member of a device says which policies its system supports: here it supports all.
  policy_status: { of: [], how: 'word', words: { true: [NOT_THERE], false: [] } },
  sku: {
    of: ['deviceLicenseType'],
    how: 'word',
    words: {
      enterprise: ['enterprise', 'enterpriseUpgrade', 'enterpriseUpgradePerpetual', 'enterpriseUpgradeFixedTerm'],
      education: ['education', 'educationUpgrade', 'educationUpgradePerpetual', 'educationUpgradeFixedTerm'],
    },
  },
  license_sku: {
    of: ['deviceLicenseType'],
    how: 'word',
    words: {
      standalone_chrome_enterprise_upgrade: [
        'enterpriseUpgrade',
        'enterpriseUpgradePerpetual',
        'enterpriseUpgradeFixedTerm',
        'educationUpgrade',
        'educationUpgradePerpetual',
        'educationUpgradeFixedTerm',
      ],
      chrome_enterprise_upgrade_bundled: ['enterprise', 'education'],
      standalone_kiosk_and_signage_upgrade: ['kioskUpgrade'],
    },
  },
};

/**
 * The vendor's "Mobile device search fields" (developers.google.com/workspace/admin/directory/v1/search-operators, read
 * 2026-11-26) and "List query operators".
 */
export const MOBILE_QUERY_FIELDS: QueryFields = {
  serial: { of: ['serialNumber'], how: 'text' },
  email: { of: ['email'], how: 'text' },
  name: { of: ['name'], how: 'text' },
  model: { of: ['model'], how: 'text' },
  brand: { of: ['brand'], how: 'text' },
  manufacturer: { of: ['manufacturer'], how: 'text' },
  os: { of: ['os'], how: 'text' },
  type: { of: ['type'], how: 'text' },
  imei: { of: ['imei'], how: 'text' },
  meid: { of: ['meid'], how: 'text' },
  hardware: { of: ['hardware'], how: 'text' },
  hardware_id: { of: ['hardwareId'], how: 'text' },
  build_number: { of: ['buildNumber'], how: 'text' },
  bootloader_version: { of: ['bootloaderVersion'], how: 'text' },
  carrier: { of: ['networkOperator'], how: 'text' },
  default_language: { of: ['defaultLanguage'], how: 'text' },
  apps: {
    of: ['applications.displayName', 'applications.packageName', 'applications.versionName'],
    how: 'text',
  },
  id: { of: ['resourceId', 'deviceId'], how: 'text' },
  register: { of: ['firstSync'], how: 'time' },
  sync: { of: ['lastSync'], how: 'time' },
  status: { of: ['status'], how: 'word' },
  compromised_status: {
    of: ['deviceCompromisedStatus'],
    how: 'word',
    words: {
      compromised: ['COMPROMISED', 'Compromised', 'Compromise detected'],
      uncompromised: ['UNCOMPROMISED', 'Uncompromised', 'No compromise detected'],
      undetected: ['UNDETECTED', 'Undetected', NOT_THERE],
    },
  },
  encryption_status: {
    of: ['encryptionStatus'],
    how: 'word',
    words: {
      encrypted: ['ENCRYPTED', 'Encrypted'],
      not_encrypted: ['NOT_ENCRYPTED', 'Not encrypted'],
      unsupported: ['UNSUPPORTED', 'Unsupported', 'Not supported'],
    },
  },
  // No device here reports a certificate.
  endpoint_verification_cert_fingerprint: { of: [], how: 'text' },
  endpoint_verification_cert_thumbprint: { of: [], how: 'text' },
};
