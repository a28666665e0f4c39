<?php
/**
 * Makes a shop of a WordPress that has just been installed: `php set-up.php WORDPRESS CURRENCY CHECKOUT`, first with
 * `activate` instead of a currency: what a plugin brings is there only for the next program.
 */

[, $wordpress, $currency, $checkout] = $argv + [3 => ''];
require "$wordpress/wp-load.php";
require_once ABSPATH . 'wp-admin/includes/plugin.php';

if ($currency === 'activate') {
	foreach (['woocommerce/woocommerce', 'btcpay-greenfield-for-woocommerce/btcpay-greenfield-for-woocommerce'] as $plugin) {
		$fault = activate_plugin("$plugin.php");
		if (is_wp_error($fault)) {
			exit($fault->get_error_message());
		}
	}
	WC_Install::create_pages();
	exit;
}

$options = [
	'woocommerce_currency'               => $currency,
	'woocommerce_default_country'        => 'DE',
	'woocommerce_store_address'          => '1 Main Street',
	'woocommerce_store_city'             => 'Berlin',
	'woocommerce_store_postcode'         => '10115',
	'woocommerce_enable_guest_checkout'  => 'yes',
	'woocommerce_coming_soon'            => 'no',
	'woocommerce_onboarding_profile'     => ['skipped' => true],
	'woocommerce_task_list_hidden'       => 'yes',
	'woocommerce_show_marketplace_suggestions' => 'no',
	'woocommerce_allow_tracking'         => 'no',
	'woocommerce_btcpaygf_default_settings' => [
		'enabled'     => 'yes',
		'title'       => 'USDC',
		'description' => 'Pay with USDC on Base.',
	],
	'btcpay_gf_debug'                    => 'yes',
];
foreach ($options as $name => $value) {
	update_option($name, $value);
}
if ($checkout === 'classic') {
	switch_theme('plain');
	wp_update_post(['ID' => wc_get_page_id('checkout'), 'post_content' => '[woocommerce_checkout]']);
}

$product = new WC_Product_Simple();
$product->set_name('Coffee, 1 kg');
$product->set_regular_price('20.00');
$product->set_status('publish');
echo $product->save();
